use std::collections::HashSet;

use kyc_vault::{
    DataKey, MasterKey, Place, SEALED_EXTRA_BYTES, SealError, SealingKey, USES_MAX,
    WrappedClientKey, WrappedDataKey,
};
use proptest::prelude::*;

const PLACE: Place<'_> = Place { client: 1, table: "submission", row: b"row" };

fn client_key(uses: u32) -> SealingKey {
    let (key, _) = SealingKey::random(1, 1, &MasterKey::random().unwrap()).unwrap();
    key.allow(uses);
    key
}

#[test]
fn t24_every_flipped_bit_is_noticed() {
    let mut buffer = Vec::new();
    for number in 0..1_000 {
        let key = DataKey::random().unwrap();
        let content = vec![0x5a; number % 61];
        let mut sealed = key.seal(PLACE, "record", &content).unwrap();
        for bit in 0..sealed.len() * 8 {
            sealed[bit / 8] ^= 1 << (bit % 8);
            assert!(key.open(PLACE, "record", &sealed, &mut buffer).is_err(), "bit {bit}");
            sealed[bit / 8] ^= 1 << (bit % 8);
        }
        assert_eq!(key.open(PLACE, "record", &sealed, &mut buffer), Ok(&*content));
    }
}

#[test]
fn t24_every_flipped_bit_of_a_wrapped_key_is_noticed() {
    let key = client_key(1);
    let wrapped = key.wrap(PLACE, &DataKey::random().unwrap()).unwrap();
    let mut bytes = wrapped.to_bytes();
    for bit in 0..bytes.len() * 8 {
        bytes[bit / 8] ^= 1 << (bit % 8);
        let flipped = WrappedDataKey::from_bytes(&bytes).unwrap();
        assert!(key.opening().unwrap(PLACE, &flipped).is_err(), "bit {bit}");
        bytes[bit / 8] ^= 1 << (bit % 8);
    }
}

#[test]
fn t24_every_flipped_bit_of_a_clients_key_is_noticed() {
    let master = MasterKey::random().unwrap();
    let (_, wrapped) = SealingKey::random(1, 1, &master).unwrap();
    let mut bytes = wrapped.to_bytes();
    for bit in 0..bytes.len() * 8 {
        bytes[bit / 8] ^= 1 << (bit % 8);
        let flipped = WrappedClientKey::from_bytes(&bytes).unwrap();
        assert!(master.unwrap(1, 1, &flipped).is_err(), "bit {bit}");
        bytes[bit / 8] ^= 1 << (bit % 8);
    }
}

#[test]
fn t25_a_million_nonces_of_a_clients_key_are_all_different() {
    const COUNT: u32 = 1_000_000;
    let (key, data_key) = (client_key(COUNT), DataKey::random().unwrap());
    let mut nonces = HashSet::new();
    for _ in 0..COUNT {
        let wrapped = key.wrap(PLACE, &data_key).unwrap().to_bytes();
        nonces.insert(<[u8; 12]>::try_from(&wrapped[4..16]).unwrap());
    }
    assert_eq!(u32::try_from(nonces.len()), Ok(COUNT));
    assert_eq!(key.uses_left(), 0);
}

#[test]
fn t25_a_key_seals_as_often_as_it_may() {
    let (key, data_key) = (client_key(3), DataKey::random().unwrap());
    for _ in 0..3 {
        assert!(key.wrap(PLACE, &data_key).is_ok());
    }
    assert_eq!(key.wrap(PLACE, &data_key), Err(SealError::UsedUp));
    key.allow(1);
    assert!(key.wrap(PLACE, &data_key).is_ok());
    // The bound of NIST SP 800-38D for random nonces is far away.
    const { assert!(USES_MAX <= 1 << 28) };
}

#[test]
fn equal_contents_look_unrelated() {
    let key = DataKey::random().unwrap();
    let sealed = || key.seal(PLACE, "record", b"content").unwrap();
    assert_ne!(sealed(), sealed());
    assert_eq!(sealed().len(), b"content".len() + SEALED_EXTRA_BYTES);
}

proptest! {
    #[test]
    fn what_is_sealed_comes_back(content: Vec<u8>, before: Vec<u8>) {
        let key = DataKey::random().unwrap();
        let mut sealed = before.clone();
        key.seal_onto(PLACE, "record", &content, &mut sealed).unwrap();
        prop_assert_eq!(&sealed[..before.len()], &*before);
        // The buffer holds something else already.
        let mut buffer = before.clone();
        let opened = key.open(PLACE, "record", &sealed[before.len()..], &mut buffer);
        prop_assert_eq!(opened, Ok(&*content));
        prop_assert_eq!(buffer, content);
    }

    #[test]
    fn bytes_that_nobody_sealed_do_not_open(mut bytes: Vec<u8>, format in 0..3_u8) {
        if let Some(first) = bytes.first_mut() {
            *first = format;
        }
        let key = DataKey::random().unwrap();
        prop_assert!(key.open(PLACE, "record", &bytes, &mut Vec::new()).is_err());
        if let Some(wrapped) = WrappedDataKey::from_bytes(&bytes) {
            prop_assert_eq!(&wrapped.to_bytes()[..], &*bytes);
            prop_assert!(client_key(0).opening().unwrap(PLACE, &wrapped).is_err());
        }
    }
}
