use kyc_vault::{DataKey, MasterKey, Place, SealingKey};
use proptest::prelude::*;

/// A place with its column, and the version of the client's key.
#[derive(Debug, Clone, PartialEq)]
struct Spot {
    client: u32,
    version: u32,
    table: String,
    column: String,
    row: Vec<u8>,
}

impl Spot {
    fn place(&self) -> Place<'_> {
        Place { client: self.client, table: &self.table, row: &self.row }
    }
}

/// Few letters, so that names meet, and join to the same text in different ways.
fn spots() -> impl Strategy<Value = Spot> {
    let row = prop::collection::vec(prop::sample::select(vec![b'a', b'b', 0]), 0..3);
    (1..3_u32, 1..3_u32, "[ab]{0,2}", "[ab]{0,2}", row).prop_map(
        |(client, version, table, column, row)| Spot { client, version, table, column, row },
    )
}

fn client_key(spot: &Spot, master: &MasterKey) -> SealingKey {
    let (key, _) = SealingKey::random(spot.client, spot.version, master).unwrap();
    key.allow(1);
    key
}

proptest! {
    #[test]
    fn t24_content_opens_in_its_place_alone(own in spots(), other in spots(), content: Vec<u8>) {
        let key = DataKey::random().unwrap();
        let sealed = key.seal(own.place(), &own.column, &content).unwrap();
        let mut buffer = Vec::new();
        let opened = key.open(own.place(), &own.column, &sealed, &mut buffer);
        prop_assert_eq!(opened, Ok(&*content));
        // The version is that of the key above, which the wrapped data key is bound to.
        let is_same = (own.client, &own.table, &own.column, &own.row)
            == (other.client, &other.table, &other.column, &other.row);
        let opened = key.open(other.place(), &other.column, &sealed, &mut buffer);
        prop_assert_eq!(opened.is_ok(), is_same);
    }

    #[test]
    fn t24_a_data_key_unwraps_in_its_place_alone(own in spots(), other in spots()) {
        let master = MasterKey::random().unwrap();
        let key = client_key(&own, &master);
        let wrapped = key.wrap(own.place(), &DataKey::random().unwrap()).unwrap();
        prop_assert!(key.opening().unwrap(own.place(), &wrapped).is_ok());
        let is_same = (own.client, &own.table, &own.row) == (other.client, &other.table, &other.row);
        prop_assert_eq!(key.opening().unwrap(other.place(), &wrapped).is_ok(), is_same);
    }
}

#[test]
fn t24_long_places_differ_too() {
    let key = DataKey::random().unwrap();
    for length in [60, 80, 81, 82, 83, 100, 128, 1_000] {
        let rows = [vec![1; length], vec![1; length + 1], [vec![1; length - 1], vec![2]].concat()];
        let places = rows.each_ref().map(|row| Place { client: 1, table: "table", row });
        let sealed = key.seal(places[0], "column", b"content").unwrap();
        let opens = places.map(|place| key.open(place, "column", &sealed, &mut Vec::new()).is_ok());
        assert_eq!(opens, [true, false, false], "{length}");
    }
}

#[test]
fn t24_another_key_opens_nothing() {
    let master = MasterKey::random().unwrap();
    let spot = Spot {
        client: 1,
        version: 1,
        table: "submission".into(),
        column: "record".into(),
        row: vec![1],
    };
    let key = client_key(&spot, &master);
    let data_key = DataKey::random().unwrap();
    let wrapped = key.wrap(spot.place(), &data_key).unwrap();
    let sealed = data_key.seal(spot.place(), "record", b"content").unwrap();

    let same_version = client_key(&spot, &master);
    assert!(same_version.opening().unwrap(spot.place(), &wrapped).is_err());
    let next_version = client_key(&Spot { version: 2, ..spot.clone() }, &master);
    assert!(next_version.opening().unwrap(spot.place(), &wrapped).is_err());
    let other = DataKey::random().unwrap();
    assert!(other.open(spot.place(), "record", &sealed, &mut Vec::new()).is_err());
}

#[test]
fn t24_a_data_key_of_another_version_does_not_pass_for_this_one() {
    let master = MasterKey::random().unwrap();
    let (first, stored) = SealingKey::random(1, 1, &master).unwrap();
    first.allow(1);
    let place = Place { client: 1, table: "submission", row: b"1" };
    let wrapped = first.wrap(place, &DataKey::random().unwrap()).unwrap();
    let mut bytes = wrapped.to_bytes();
    bytes[0] = 2;
    let renamed = kyc_vault::WrappedDataKey::from_bytes(&bytes).unwrap();
    assert!(first.opening().unwrap(place, &renamed).is_err());
    // Nor does a client's key open as another version, or as that of another client.
    assert!(master.unwrap(1, 1, &stored).is_ok());
    assert!(master.unwrap(1, 2, &stored).is_err());
    assert!(master.unwrap(2, 1, &stored).is_err());
}

#[test]
fn a_key_wraps_for_its_own_client_alone() {
    let (key, _) = SealingKey::random(1, 1, &MasterKey::random().unwrap()).unwrap();
    key.allow(1);
    let place = Place { client: 2, table: "submission", row: b"1" };
    assert!(key.wrap(place, &DataKey::random().unwrap()).is_err());
    assert_eq!(key.uses_left(), 1);
}
