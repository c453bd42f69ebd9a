//! Forms as typed values.

use std::net::Ipv4Addr;

use proptest::array::{uniform3, uniform4};
use proptest::option;
use proptest::prelude::*;
use proptest::sample::select;

use super::text::{address_parts, emails, free_texts, id_numbers, user_ids, wallet_addresses};
use super::value::{applicants, countries, document_handles};
use crate::{
    Address, DocumentHandle, DocumentKind, Evidence, Form, IdType, Identification, PartialAddress,
    Scope,
};

/// Forms of identity reviews of both levels, and AML-only ones.
pub fn forms() -> impl Strategy<Value = Form> {
    prop_oneof![3 => identity_forms(), 1 => aml_only_forms()]
}

/// Forms of identity reviews.
pub fn identity_forms() -> impl Strategy<Value = Form> {
    let scope = identifications().prop_map(|known| Scope::Identity(Box::new(known)));
    form_of(scope)
}

/// Forms of AML-only submissions.
pub fn aml_only_forms() -> impl Strategy<Value = Form> {
    form_of(Just(Scope::AmlOnly))
}

fn form_of(scope: impl Strategy<Value = Scope>) -> impl Strategy<Value = Form> {
    (emails(), option::of(user_ids()), applicants(), scope)
        .prop_map(|(email, user_id, applicant, scope)| Form { email, user_id, applicant, scope })
}

/// What identity reviews work on.
pub fn identifications() -> impl Strategy<Value = Identification> {
    let id_types = select(&[IdType::Passport, IdType::GovernmentId, IdType::DriversLicense]);
    let images = document_handles(&[DocumentKind::Other]);
    (
        (id_types, option::of(id_numbers()), evidence()),
        (option::of(free_texts()), option::of(wallet_addresses()), option::of(free_texts())),
        uniform3(option::of(wallet_addresses())),
        uniform4(option::of(images)),
        uniform3(option::of(free_texts())),
        option::of(any::<u32>().prop_map(Ipv4Addr::from)),
    )
        .prop_map(|(document, money, extra_wallets, extra_images, custom, ip_address)| {
            let (id_type, id_number, evidence) = document;
            let (contribution_type, wallet_address, estimated_amount) = money;
            Identification {
                id_type,
                id_number,
                evidence,
                contribution_type,
                wallet_address,
                estimated_amount,
                extra_wallets,
                extra_images,
                custom,
                ip_address,
            }
        })
        .boxed()
}

/// Evidence of both levels.
pub fn evidence() -> impl Strategy<Value = Evidence> {
    prop_oneof![evidence_l1(), evidence_l2()]
}

/// Evidence of level 1, with as much of an address as may be.
pub fn evidence_l1() -> impl Strategy<Value = Evidence> {
    let part = || option::of(address_parts());
    let address = (part(), part(), part(), part(), option::of(countries())).prop_map(
        |(street, city, state, zipcode, country)| PartialAddress {
            street,
            city,
            state,
            zipcode,
            country,
        },
    );
    (photo_ids(), selfies(), address, option::of(proofs())).prop_map(
        |(photo_id, selfie, address, proof)| Evidence::L1 { photo_id, selfie, address, proof },
    )
}

/// Evidence of level 2.
pub fn evidence_l2() -> impl Strategy<Value = Evidence> {
    (photo_ids(), selfies(), addresses(), proofs()).prop_map(
        |(photo_id, selfie, address, proof)| Evidence::L2 { photo_id, selfie, address, proof },
    )
}

/// Whole addresses.
pub fn addresses() -> impl Strategy<Value = Address> {
    let part = address_parts;
    (part(), part(), part(), part(), countries()).prop_map(
        |(street, city, state, zipcode, country)| Address { street, city, state, zipcode, country },
    )
}

pub(super) fn photo_ids() -> impl Strategy<Value = DocumentHandle> {
    document_handles(&[
        DocumentKind::Passport,
        DocumentKind::GovernmentId,
        DocumentKind::DriversLicense,
    ])
}

pub(super) fn selfies() -> impl Strategy<Value = DocumentHandle> {
    document_handles(&[DocumentKind::Selfie])
}

pub(super) fn proofs() -> impl Strategy<Value = DocumentHandle> {
    document_handles(&[DocumentKind::Address])
}
