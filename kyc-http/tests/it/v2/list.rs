//! `GET /v2/submissions/resultall`

use crate::support::*;

#[test]
fn of_a_client_without_submissions() {
    let world = World::new();
    let empty = r#"{"data":[],"nextpageKey":{"email":"NA","id":"NA"}}"#;
    world.get(Acme, "/v2/submissions/resultall").is(empty);
    world.submit_aml_only(Birch);
    world.get(Acme, "/v2/submissions/resultall").is(empty);
}

#[test]
fn d44_items_in_order_of_creation_with_null_for_what_is_unset() {
    let world = World::new();
    world.submit(Acme, &world.full(Acme));
    world.later(1);
    world.submit(Acme, &world.l1(Acme).with("id_type", "governmentid"));
    world.later(9);
    world.submit_aml_only(Acme);
    world.get(Acme, "/v2/submissions/resultall").is(r#"{"data":[{
        "id":"01m7w4nmaj0000000000000001",
        "created_at":"2026-11-20T09:30:15.250Z",
        "email":"mira.kole@example.org",
        "first_name":"Mira",
        "middle_name":"Ana",
        "last_name":"Kole",
        "nationality":"Albania, ALB",
        "date_of_birth":"1990-05-17",
        "gender":"Female",
        "id_type":"Passport",
        "id_number":"X1234567",
        "address_street":"12 Harbour Lane",
        "address_city":"Vlorë",
        "address_state":"Vlorë County",
        "address_zipcode":"9401",
        "address_country":"Albania, ALB",
        "contribution_type":"ETH",
        "wallet_address":"0xAb5801a7D398351b8bE11C439e05C5b3259aeC9B",
        "estimated_amount":"about 3,000 €"
    },{
        "id":"01m7w4qexj0000000000000002",
        "created_at":"2026-11-20T09:31:15.250Z",
        "email":"mira.kole@example.org",
        "first_name":"Mira",
        "middle_name":null,
        "last_name":"Kole",
        "nationality":"Albania, ALB",
        "date_of_birth":"1990-05-17",
        "gender":"Female",
        "id_type":"Government_id",
        "id_number":null,
        "address_street":null,
        "address_city":null,
        "address_state":null,
        "address_zipcode":null,
        "address_country":null,
        "contribution_type":null,
        "wallet_address":null,
        "estimated_amount":null
    },{
        "id":"01m7w57y8j0000000000000003",
        "created_at":"2026-11-20T09:40:15.250Z",
        "email":"mira.kole@example.org",
        "first_name":"Mira",
        "middle_name":null,
        "last_name":"Kole",
        "nationality":"Albania, ALB",
        "date_of_birth":"1990-05-17",
        "gender":"Female",
        "id_type":null,
        "id_number":null,
        "address_street":null,
        "address_city":null,
        "address_state":null,
        "address_zipcode":null,
        "address_country":null,
        "contribution_type":null,
        "wallet_address":null,
        "estimated_amount":null
    }],"nextpageKey":{"email":"NA","id":"NA"}}"#);
}

#[test]
fn behind_a_page_key() {
    let world = World::new();
    let first = world.submit_aml_only(Acme);
    let second = world.submit_aml_only(Acme);
    let behind = |id: &str| {
        format!(
            "/v2/submissions/resultall?nextpageKeyemail=mira.kole@example.org&nextpageKeyid={id}"
        )
    };
    let rest = world.get(Acme, &behind(&first)).success();
    assert_eq!(rest.text_at("/data/0/id"), second);
    assert!(!rest.has("/data/1"));
    let none = r#"{"data":[],"nextpageKey":{"email":"NA","id":"NA"}}"#;
    world.get(Acme, &behind(&second)).is(none);
}

#[test]
fn d18_words_begin_with_a_capital_in_this_list_alone() {
    let world = World::new();
    let form = world.l1(Acme).with("gender", "MALE");
    let types = ["passport", "governmentid", "drivers_license"];
    let ids = types.map(|id_type| world.submit(Acme, &form.clone().with("id_type", id_type)));
    let list = world.get(Acme, "/v2/submissions/resultall").success();
    let data = ids.map(|id| {
        let target = format!("/v2/submissions/mira.kole@example.org/{id}/result");
        world.get(Acme, &target).success()
    });
    let canonical = ["passport", "government_id", "drivers_license"];
    let capitalised = ["Passport", "Government_id", "Drivers_license"];
    for place in 0..types.len() {
        assert_eq!(list.text_at(&format!("/data/{place}/id_type")), capitalised[place]);
        assert_eq!(list.text_at(&format!("/data/{place}/gender")), "Male");
        assert_eq!(data[place].text_at("/id_type"), canonical[place]);
        assert_eq!(data[place].text_at("/gender"), "male");
    }
}
