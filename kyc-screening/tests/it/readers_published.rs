use kyc_core::{Country, Gender};
use kyc_screening::{
    AliasKind, Birth, Category, Document, Entity, EntityKind, List, ReadError, read_eu,
    read_open_sanctions_entities, read_open_sanctions_targets, read_uk, read_us_csl,
};
use time::macros::date;

use crate::published::{ENTITIES, EU, TARGETS, UK, US_CSL};

fn countries(entity: &Entity) -> Vec<&str> {
    entity.person().unwrap().nationalities.iter().copied().map(Country::alpha3).collect()
}

fn aliases(entity: &Entity) -> Vec<(&str, AliasKind)> {
    entity.aliases.iter().map(|alias| (alias.text.as_str(), alias.kind)).collect()
}

fn document(kind: &str, number: &str) -> Document {
    Document { kind: kind.to_owned(), number: number.to_owned() }
}

#[test]
fn the_eu_list_is_read_with_everything_that_screening_uses() {
    let list = read_eu(EU.as_bytes()).unwrap();
    assert_eq!(list.source_date(), Some(date!(2026 - 11 - 21)));
    let [mira, petrel] = list.entities() else { panic!("two entities") };
    assert_eq!((mira.id.as_str(), mira.name.as_str()), ("13", "Mira Kole"));
    assert_eq!(mira.programmes, ["UTO"]);
    assert_eq!(mira.category, Category::Sanction);
    let names = [
        ("Мира Коле", AliasKind::Original),
        ("Mira Zul", AliasKind::Good),
        ("The Tall", AliasKind::Weak),
    ];
    assert_eq!(aliases(mira), names);
    assert_eq!(mira.documents, [document("National passport", "X0000001")]);
    let person = mira.person().unwrap();
    assert_eq!(person.gender, Some(Gender::Female));
    let births = [
        Birth::Day(date!(1971 - 04 - 03)),
        Birth::Month { year: 1972, month: 4 },
        Birth::About(1973),
        Birth::Years { from: 1974, to: 1976 },
    ];
    assert_eq!(person.births, births);
    assert_eq!(countries(mira), ["IRN"]);
    assert_eq!((petrel.name.as_str(), &petrel.kind), ("Petrel Trading", &EntityKind::Organisation));
}

#[test]
fn the_uk_list_is_read_with_everything_that_screening_uses() {
    let list = read_uk(UK.as_bytes()).unwrap();
    assert_eq!(list.source_date(), Some(date!(2026 - 11 - 21)));
    let [mira, petrel, ship] = list.entities() else { panic!("three entities") };
    assert_eq!((mira.id.as_str(), mira.name.as_str()), ("UTO0001", "Mira Anna KOLE"));
    assert_eq!(mira.programmes, ["The Utopia (Sanctions) Regulations 2026"]);
    let names = [
        ("Mirjana KOLE", AliasKind::Good),
        ("Мира Коле", AliasKind::Original),
        ("The Tall KOLE", AliasKind::Weak),
    ];
    assert_eq!(aliases(mira), names);
    let documents = [document("Passport", "X0000001"), document("National identifier", "77")];
    assert_eq!(mira.documents, documents);
    let person = mira.person().unwrap();
    assert_eq!(person.births, [Birth::Day(date!(1971 - 04 - 03)), Birth::Year(1972)]);
    assert_eq!(person.gender, Some(Gender::Female));
    assert_eq!(countries(mira), ["IRN", "ALB"]);
    assert_eq!(petrel.kind, EntityKind::Organisation);
    assert_eq!(petrel.documents, [document("Business registration number", "R-9")]);
    assert_eq!((ship.name.as_str(), &ship.kind), ("PETREL", &EntityKind::Vessel));
}

#[test]
fn the_us_screening_list_is_read_with_everything_that_screening_uses() {
    let list = read_us_csl(US_CSL.as_bytes()).unwrap();
    let [mira, petrel, vessel, tobin] = list.entities() else { panic!("four entities") };
    assert_eq!((mira.id.as_str(), mira.name.as_str()), ("11", "KOLE, Mira"));
    assert_eq!(mira.programmes, ["SDGT", "IFSR"]);
    let names = [("KOLE, Mirjana", AliasKind::Good), ("ZUL, Mira", AliasKind::Good)];
    assert_eq!(aliases(mira), names);
    assert_eq!(mira.wallets, ["1invented1WalletOfMira"]);
    assert_eq!(mira.documents, [document("Passport", "X0000001")]);
    let person = mira.person().unwrap();
    assert_eq!(person.births, [Birth::Day(date!(1971 - 04 - 03)), Birth::About(1972)]);
    assert_eq!(person.gender, Some(Gender::Female));
    assert_eq!(countries(mira), ["IRN", "ALB"]);
    // It is on two of the lists.
    assert_eq!(petrel.programmes, ["SDGT", "UKRAINE-EO13662"]);
    assert_eq!(aliases(petrel), [("GULL TRADING", AliasKind::Good)]);
    assert_eq!(vessel.kind, EntityKind::Vessel);
    // Nobody says what it is: it may be a person.
    assert!(tobin.person().is_some());
    assert_eq!(tobin.category, Category::Watchlist);
}

#[test]
fn a_us_screening_list_with_its_header_twice_is_the_same_list() {
    let header = US_CSL.lines().next().unwrap();
    let twice = format!("{header}\n{US_CSL}");
    assert_eq!(
        read_us_csl(twice.as_bytes()).unwrap().entities(),
        read_us_csl(US_CSL.as_bytes()).unwrap().entities()
    );
}

#[test]
fn the_targets_of_open_sanctions_are_read_with_everything_that_screening_uses() {
    let list = read_open_sanctions_targets(TARGETS.as_bytes()).unwrap();
    let [mira, tobin, vessel, wallet] = list.entities() else { panic!("four entities") };
    assert_eq!((mira.id.as_str(), mira.name.as_str()), ("NK-1", "Mira Kole"));
    let names = [
        ("Mirjana Kole", AliasKind::Good),
        ("Мира Коле", AliasKind::Original),
        ("Kole; Mira", AliasKind::Good),
    ];
    assert_eq!(aliases(mira), names);
    assert_eq!(mira.programmes, ["UTO-1", "UTO-2"]);
    assert_eq!(mira.documents, [document("", "X0000001"), document("", "77")]);
    let births = [Birth::Day(date!(1971 - 04 - 03)), Birth::Year(1972)];
    assert_eq!(mira.person().unwrap().births, births);
    assert!(countries(mira).is_empty(), "nobody says that it is a nationality");
    assert_eq!(mira.category, Category::Sanction);
    assert!(tobin.person().is_some(), "a legal entity may be a person");
    assert_eq!(tobin.category, Category::Watchlist);
    assert_eq!((&vessel.kind, vessel.category), (&EntityKind::Vessel, Category::Sanction));
    assert_eq!(wallet.wallets, ["1inventedWallet"]);
    assert_eq!(wallet.category, Category::Watchlist);
}

#[test]
fn the_entities_of_open_sanctions_are_read_with_everything_that_screening_uses() {
    let list = read_open_sanctions_entities(ENTITIES.as_bytes()).unwrap();
    let [mira, tobin, petrel, wallet] = list.entities() else { panic!("four entities") };
    assert_eq!((mira.id.as_str(), mira.name.as_str()), ("NK-1", "Mira Kole"));
    let names = [
        ("Мира Коле", AliasKind::Original),
        ("Mirjana Kole", AliasKind::Good),
        ("Mira Zul", AliasKind::Former),
        ("The Tall", AliasKind::Weak),
    ];
    assert_eq!(aliases(mira), names);
    assert_eq!(mira.category, Category::Sanction);
    assert_eq!(mira.programmes, ["UTO-1", "Utopia asset freeze"]);
    assert_eq!(mira.wallets, ["1invented1WalletOfMira"]);
    let documents = [document("Passport", "X0000001"), document("National identity card", "77")];
    assert_eq!(mira.documents, documents);
    let person = mira.person().unwrap();
    assert_eq!(person.births.len(), 3);
    assert_eq!(person.gender, Some(Gender::Female));
    assert_eq!(countries(mira), ["IRN"]);
    assert_eq!(tobin.category, Category::PoliticallyExposed);
    assert_eq!((&petrel.kind, petrel.category), (&EntityKind::Organisation, Category::Watchlist));
    assert_eq!(wallet.wallets, ["1inventedStray"]);
    assert_eq!(wallet.category, Category::PoliticallyExposed);
}

#[track_caller]
fn check(result: Result<List, ReadError>, expected: &str) {
    assert_eq!(result.unwrap_err().to_string(), expected);
}

#[test]
fn a_missing_column_is_named_as_its_publisher_calls_it() {
    let eu = EU.replacen("NameAlias_WholeName", "Name", 1);
    check(read_eu(eu.as_bytes()), "line 1: expected a column `NameAlias_WholeName`");
    let uk = UK.replacen("Unique ID", "Id", 1);
    check(read_uk(uk.as_bytes()), "line 2: expected a column `Unique ID`");
    let csl = US_CSL.replacen("alt_names", "aliases", 1);
    check(read_us_csl(csl.as_bytes()), "line 1: expected a column `alt_names`");
    let targets = TARGETS.replacen("schema", "type", 1);
    let fault = "line 1: expected a column `schema`";
    check(read_open_sanctions_targets(targets.as_bytes()), fault);
}

#[test]
fn a_fault_of_the_eu_list_names_line_and_expectation() {
    let read = |text: &str| read_eu(text.as_bytes());
    let text =
        |rows: &str| format!("Entity_LogicalId;Entity_SubjectType;NameAlias_WholeName\n{rows}\n");
    check(read(""), "expected at least one entity");
    check(read(&text("")), "expected at least one entity");
    check(read(&text("7;P;Mira\n;P;Tobin")), "line 3: expected the logical id of an entity");
    check(read(&text("7;X;Mira")), "line 2: expected a subject type: person or enterprise");
    check(read(&text("7;P;Mira\n8;P;")), "line 3: expected a name");
    check(read(&text("7;P;\"Mira")), "line 2: expected a closing quote");
    check(read(&text("7;P")), "line 2: expected as many columns as in the header");
    check(read(&text("7;P;Mira;1")), "line 2: expected as many columns as in the header");
    let expected = "line 3: expected the kind of entity that other rows of this id have";
    check(read(&text("7;P;Mira\n7;E;Mira")), expected);
    let twice = "Entity_LogicalId;Entity_LogicalId;Entity_SubjectType;NameAlias_WholeName\n";
    check(read(twice), "line 1: expected each column once");
    assert_eq!(read(&text("7;P;Mira;;")).unwrap().counts().persons, 1, "blanks behind the row");
}

#[test]
fn a_fault_of_the_uk_list_names_line_and_expectation() {
    let read = |text: &str| read_uk(text.as_bytes());
    let header = "Report Date: 21-Nov-2026\nUnique ID,Name 6,Name 1,Name type,Designation Type\n";
    let text = |rows: &str| format!("{header}{rows}\n");
    check(read(""), "expected at least one entity");
    check(read("Unique ID,Name 6\n"), "line 1: expected a report date");
    check(read("Report Date: 21-Nov-2026\n"), "expected at least one entity");
    check(read(header), "expected at least one entity");
    check(
        read(&text(",KOLE,,Primary Name,Individual")),
        "line 3: expected the unique id of an entity",
    );
    check(
        read(&text("7,KOLE,,Primary Name,Robot")),
        "line 3: expected a designation type: individual, entity or ship",
    );
    check(read(&text("7,,,Primary Name,Entity")), "line 3: expected a name");
}

#[test]
fn a_fault_of_the_us_screening_list_names_line_and_expectation() {
    let read = |text: &str| read_us_csl(text.as_bytes());
    let text = |rows: &str| format!("_id,source,type,name,alt_names\n{rows}\n");
    check(read(&text("")), "expected at least one entity");
    check(read(&text(",SDN,,Mira,")), "line 2: expected an id");
    check(read(&text("7,SDN,,,")), "line 2: expected a name");
    check(
        read(&text("7,SDN,Robot,Mira,")),
        "line 2: expected individual, entity, vessel, aircraft or nothing as type",
    );
}

#[test]
fn a_fault_of_open_sanctions_names_line_and_expectation() {
    let targets = |rows: &str| {
        let text = format!("id,schema,name,aliases,sanctions\n{rows}\n");
        read_open_sanctions_targets(text.as_bytes())
    };
    check(targets(""), "expected at least one entity");
    check(targets("1,Address,Rue 1,,"), "expected at least one entity");
    check(targets("1,Person,,,"), "line 2: expected a name");
    check(
        targets("1,Person,Mira,,\n1,Person,Tobin,,"),
        "line 3: expected an id that no other row has",
    );
    check(targets("1,,Mira,,"), "line 2: expected a schema");

    let entities = |text: &str| read_open_sanctions_entities(text.as_bytes());
    let mira = r#"{"id":"1","schema":"Person","properties":{"name":["Mira"]}}"#;
    check(entities(""), "expected at least one entity");
    check(entities("\n \n"), "expected at least one entity");
    check(entities(&format!("{mira}\n\n{mira}")), "line 3: expected an id that no other line has");
    check(entities(&format!("{mira}\n{{\"id\":")), "line 2: expected a whole JSON object");
    check(
        entities(r#"{"id":"1","schema":"Person"}"#),
        "line 1: expected an object with an id, a schema and properties",
    );
    check(entities(&mira.replace("\"1\"", "\" \"")), "line 1: expected an id");
    check(entities(&mira.replace("\"Mira\"", "")), "line 1: expected a name");
    check(
        entities(&mira.replace("[\"Mira\"]", "\"Mira\"")),
        "line 1: expected an object with an id, a schema and properties",
    );
}

#[test]
fn a_line_that_says_much_about_many_is_refused_before_it_fills_the_memory() {
    let list = vec!["\"1\""; 10_000].join(",");
    let many = format!(
        r#"{{"id":"s","schema":"Sanction","properties":{{"entity":[{list}],"program":[{list}]}}}}"#
    );
    let expected = "the list is larger than the limit";
    check(read_open_sanctions_entities(many.as_bytes()), expected);
}
