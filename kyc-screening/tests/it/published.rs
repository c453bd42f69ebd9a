//! Lists in the formats that the EU, the UK, the US and OpenSanctions publish, as described there:
//! no file of the EU or the UK was at hand. Everybody in them is invented.

use std::sync::LazyLock;

/// The columns of the EU's CSV 1.1, without those that repeat `…_Regulation_…` for every fact.
const EU_HEADER: &str = "fileGenerationDate;Entity_LogicalId;Entity_EU_ReferenceNumber;\
    Entity_UnitedNationId;Entity_DesignationDate;Entity_DesignationDetails;Entity_Remark;\
    Entity_SubjectType;Entity_SubjectType_ClassificationCode;Entity_Regulation_Type;\
    Entity_Regulation_OrganisationType;Entity_Regulation_PublicationDate;\
    Entity_Regulation_EntryIntoForceDate;Entity_Regulation_NumberTitle;Entity_Regulation_Programme;\
    Entity_Regulation_PublicationUrl;NameAlias_LastName;NameAlias_FirstName;NameAlias_MiddleName;\
    NameAlias_WholeName;NameAlias_NameLanguage;NameAlias_Gender;NameAlias_Title;NameAlias_Function;\
    NameAlias_LogicalId;NameAlias_RegulationLanguage;NameAlias_Remark;Address_City;Address_Street;\
    Address_PoBox;Address_ZipCode;Address_CountryIso2Code;Address_CountryDescription;\
    BirthDate_BirthDate;BirthDate_Day;BirthDate_Month;BirthDate_Year;BirthDate_YearRangeFrom;\
    BirthDate_YearRangeTo;BirthDate_Circa;BirthDate_CalendarType;BirthDate_Place;\
    BirthDate_CountryIso2Code;BirthDate_CountryDescription;Identification_Number;\
    Identification_KnownExpired;Identification_TypeCode;Identification_TypeDescription;\
    Identification_CountryIso2Code;Citizenship_Region;Citizenship_CountryIso2Code;\
    Citizenship_CountryDescription;Citizenship_LogicalId;Citizenship_Regulation_PublicationUrl";

pub(crate) static EU: LazyLock<String> = LazyLock::new(|| {
    let person = |fields: &[(&'static str, &'static str)]| {
        let common = [
            ("fileGenerationDate", "21/11/2026"),
            ("Entity_LogicalId", "13"),
            ("Entity_EU_ReferenceNumber", "EU.27.28"),
            ("Entity_SubjectType", "P"),
            ("Entity_SubjectType_ClassificationCode", "person"),
            ("Entity_Regulation_Programme", "UTO"),
            ("Citizenship_Regulation_PublicationUrl", "https://example.org/13"),
        ];
        row(EU_HEADER, ";", &[&common, fields].concat())
    };
    let rows = [
        person(&[("NameAlias_WholeName", "Мира Коле"), ("NameAlias_NameLanguage", "RU")]),
        person(&[
            ("NameAlias_LastName", "Kole"),
            ("NameAlias_FirstName", "Mira"),
            ("NameAlias_WholeName", "Mira Kole"),
            ("NameAlias_Gender", "F"),
            ("NameAlias_Function", "\"Treasurer; \"\"acting\"\"\""),
        ]),
        person(&[("NameAlias_LastName", "Zul"), ("NameAlias_FirstName", "Mira")]),
        person(&[("NameAlias_WholeName", "The Tall"), ("NameAlias_Remark", "(Low quality alias)")]),
        person(&[("Address_City", "Utopia City"), ("Address_CountryIso2Code", "00")]),
        person(&[("BirthDate_BirthDate", "1971-04-03"), ("BirthDate_Year", "1971")]),
        person(&[
            ("BirthDate_Month", "4"),
            ("BirthDate_Year", "1972"),
            ("BirthDate_Circa", "false"),
        ]),
        person(&[("BirthDate_Year", "1973"), ("BirthDate_Circa", "true")]),
        person(&[("BirthDate_YearRangeFrom", "1974"), ("BirthDate_YearRangeTo", "1976")]),
        person(&[
            ("Identification_Number", "X0000001"),
            ("Identification_TypeCode", "passport"),
            ("Identification_TypeDescription", "National passport"),
        ]),
        person(&[
            ("Citizenship_CountryIso2Code", "IR"),
            ("Citizenship_CountryDescription", "IRAN (Islamic Republic of)"),
        ]),
        person(&[
            ("Citizenship_CountryIso2Code", "00"),
            ("Citizenship_CountryDescription", "UNKNOWN"),
        ]),
        row(
            EU_HEADER,
            ";",
            &[
                ("fileGenerationDate", "21/11/2026"),
                ("Entity_LogicalId", "14"),
                ("Entity_SubjectType", "E"),
                ("NameAlias_WholeName", "Petrel Trading"),
            ],
        ),
    ];
    table("", EU_HEADER, &rows)
});

const UK_HEADER: &str = "Last Updated,Unique ID,OFSI Group ID,UN Reference Number,Name 6,Name 1,\
    Name 2,Name 3,Name 4,Name 5,Name type,Alias strength,Title,Name non-latin script,\
    Non-latin script type,Non-latin script language,Regime Name,Designation Type,\
    Designation source,Sanctions Imposed,Other Information,UK Statement of Reasons,\
    Address Line 1,Address Postal Code,Address Country,Phone number,Website,Email address,\
    Date Designated,D.O.B,Nationality(/ies),National Identifier number,\
    National Identifier additional information,Passport number,Passport additional information,\
    Position,Gender,Town of birth,Country of birth,Type of entity,Subsidiaries,Parent company,\
    Business registration number (s),IMO number,Current owner/operator (s),\
    Previous owner/operator (s),Current believed flag of ship,Previous flags,Type of ship,\
    Tonnage of ship,Length of ship,Year Built,Hull identification number (HIN)";

pub(crate) static UK: LazyLock<String> = LazyLock::new(|| {
    let person = |fields: &[(&'static str, &'static str)]| {
        let common = [
            ("Unique ID", "UTO0001"),
            ("Name 6", "KOLE"),
            ("Regime Name", "The Utopia (Sanctions) Regulations 2026"),
            ("Designation Type", "Individual"),
            ("Gender", "Female"),
        ];
        row(UK_HEADER, ",", &[&common, fields].concat())
    };
    let rows = [
        person(&[
            ("Name 1", "Mirjana"),
            ("Name type", "Alias"),
            ("Alias strength", "Good quality a.k.a"),
        ]),
        person(&[
            ("Name 1", "Mira"),
            ("Name 2", "Anna"),
            ("Name type", "Primary Name"),
            ("Name non-latin script", "Мира Коле"),
            ("D.O.B", "03/04/1971"),
            ("Nationality(/ies)", "Iran"),
            ("Passport number", "X0000001"),
            ("UK Statement of Reasons", "\"Tall, and\nloud\""),
        ]),
        person(&[
            ("Name 1", "The Tall"),
            ("Name type", "Alias"),
            ("Alias strength", "Low quality a.k.a"),
            ("D.O.B", "dd/mm/1972"),
            ("Nationality(/ies)", "(1) Albania (2) Iran"),
            ("National Identifier number", "77"),
        ]),
        row(
            UK_HEADER,
            ",",
            &[
                ("Unique ID", "UTO0002"),
                ("Name 6", "PETREL TRADING"),
                ("Name type", "Primary Name"),
                ("Designation Type", "Entity"),
                ("Business registration number (s)", "R-9"),
            ],
        ),
        row(
            UK_HEADER,
            ",",
            &[
                ("Unique ID", "UTO0003"),
                ("Name 6", "PETREL"),
                ("Name type", "Primary name"),
                ("Designation Type", "Ship"),
            ],
        ),
    ];
    table("Report Date: 21-Nov-2026\n", UK_HEADER, &rows)
});

/// As published: every field of a row is quoted.
pub(crate) const US_CSL: &str = r#"_id,source,entity_number,type,programs,name,title,addresses,federal_register_notice,start_date,end_date,standard_order,license_requirement,license_policy,call_sign,vessel_type,gross_tonnage,gross_registered_tonnage,vessel_flag,vessel_owner,remarks,source_list_url,alt_names,citizenships,dates_of_birth,nationalities,places_of_birth,source_information_url,ids
"11","Specially Designated Nationals (SDN) - Treasury Department","11","Individual","SDGT; IFSR","KOLE, Mira","Treasurer","Rue 1, Utopia City, AL","","","","","","","","","","","","","","https://example.org","KOLE, Mirjana; ZUL, Mira","AL","1971-04-03; circa 1972","IR","Utopia City","https://example.org","Passport, X0000001, IR; Gender, Female; Website, www.example.org; Digital Currency Address - XBT, 1invented1WalletOfMira"
"12","Specially Designated Nationals (SDN) - Treasury Department","12","Entity","SDGT","PETREL TRADING","","","","","","","","","","","","","","","","","","","","","","","Registration Number, R-9, AL"
"12","Sectoral Sanctions Identifications List (SSI) - Treasury Department","12","Entity","UKRAINE-EO13662","PETREL TRADING","","","","","","","","","","","","","","","","","GULL TRADING","","","","","",""
"13","Specially Designated Nationals (SDN) - Treasury Department","13","Vessel","SDGT","PETREL","","","","","","","","","","Tug","","","","","","","","","","","","",""
"c80c3385","Denied Persons List (DPL) - Bureau of Industry and Security","","","","Tobin Ashgrove","","","","2020-01-01","","Y","","","","","","","","","","","","","","","","",""
"#;

pub(crate) const TARGETS: &str = r#""id","schema","name","aliases","birth_date","countries","addresses","identifiers","sanctions","phones","emails","program_ids","dataset","first_seen","last_seen","last_change"
"NK-1","Person","Mira Kole","Mirjana Kole;Мира Коле;""Kole; Mira""","1971-04-03;1972","ir","","X0000001;77","Utopia asset freeze","","","UTO-1;UTO-2","Utopia List","2026-01-01T00:00:00","2026-11-21T00:00:00","2026-01-01T00:00:00"
"NK-2","LegalEntity","Tobin Ashgrove","","","","","","","","","","Utopia List","2026-01-01T00:00:00","2026-11-21T00:00:00","2026-01-01T00:00:00"
"NK-3","Vessel","PETREL","","","","","IMO1","","","","UTO-1","Utopia List","2026-01-01T00:00:00","2026-11-21T00:00:00","2026-01-01T00:00:00"
"NK-4","CryptoWallet","1inventedWallet","","","","","","","","","","Utopia List","2026-01-01T00:00:00","2026-11-21T00:00:00","2026-01-01T00:00:00"
"NK-5","Security","UTO0000000001","","","","","","Utopia asset freeze","","","","Utopia List","2026-01-01T00:00:00","2026-11-21T00:00:00","2026-01-01T00:00:00"
"#;

pub(crate) const ENTITIES: &str = r#"{"id":"w-1","caption":"1invented1WalletOfMira","schema":"CryptoWallet","target":true,"datasets":["uto"],"properties":{"publicKey":["1invented1WalletOfMira"],"currency":["XBT"],"holder":["NK-1"],"topics":["sanction"]}}
{"id":"NK-1","caption":"Mira Kole","schema":"Person","target":true,"datasets":["uto"],"properties":{"name":["Mira Kole","Мира Коле"],"alias":["Mirjana Kole"],"weakAlias":["The Tall"],"previousName":["Mira Zul"],"birthDate":["1971-04-03","1972-05","1973"],"nationality":["ir"],"country":["al"],"gender":["female"],"topics":["role.pep","sanction"],"passportNumber":["X0000001"],"programId":["UTO-1"],"addressEntity":[{"id":"a-1","schema":"Address"}]}}
{"id":"s-1","schema":"Sanction","target":false,"properties":{"entity":["NK-1"],"program":["Utopia asset freeze"]}}
{"id":"p-1","schema":"Identification","target":false,"properties":{"holder":["NK-1"],"number":["77"],"type":["National identity card"]}}
{"id":"NK-2","schema":"Person","properties":{"name":["Tobin Ashgrove"],"topics":["role.pep"]}}
{"id":"NK-3","caption":"Robin Ashgrove","schema":"Person","target":false,"properties":{"name":["Robin Ashgrove"],"topics":["role.lawyer"]}}
{"id":"NK-4","caption":"Petrel Trading","schema":"Company","target":true,"properties":{"name":["Petrel Trading"],"topics":["debarment"],"registrationNumber":["R-9"]}}
{"id":"w-2","schema":"CryptoWallet","target":true,"properties":{"publicKey":["1inventedStray"],"holder":["NK-99"],"topics":["role.pep"]}}
{"id":"f-1","schema":"Family","properties":{"person":["NK-2"],"relative":["NK-3"]}}
"#;

/// A row with these fields under their titles, the later of two for one title; the rest is blank.
fn row(header: &str, delimiter: &str, fields: &[(&str, &str)]) -> String {
    let titles: Vec<&str> = header.split(delimiter).collect();
    assert!(fields.iter().all(|(title, _)| titles.contains(title)), "a title is misspelt");
    let field = |title: &&str| fields.iter().rev().find(|(known, _)| known == title);
    let row: Vec<&str> =
        titles.iter().map(|title| field(title).map_or("", |(_, text)| text)).collect();
    row.join(delimiter)
}

fn table(preamble: &str, header: &str, rows: &[String]) -> String {
    format!("{preamble}{header}\n{}\n", rows.join("\n"))
}
