//! Lists in the public formats. Everybody in them is invented.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use kyc_core::{Subject, Timestamp};
use kyc_screening::{Engine, List, OfacReader, Options, Snapshot, read_plain};
use rustix::time::{ClockId, clock_gettime};

pub(crate) const UN: &str = r#"<?xml version="1.0" encoding="UTF-8"?>
<CONSOLIDATED_LIST xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" dateGenerated="2026-02-27T00:00:09.554Z">
  <INDIVIDUALS>
    <INDIVIDUAL>
      <DATAID>111</DATAID>
      <FIRST_NAME>MIRA</FIRST_NAME>
      <SECOND_NAME>KOLE &amp;</SECOND_NAME>
      <THIRD_NAME>O&#39;ZUL</THIRD_NAME>
      <UN_LIST_TYPE>Utopia</UN_LIST_TYPE>
      <NAME_ORIGINAL_SCRIPT>Мира Коле</NAME_ORIGINAL_SCRIPT>
      <GENDER>Female</GENDER>
      <NATIONALITY><VALUE>Iran (Islamic Republic of)</VALUE><VALUE>na</VALUE></NATIONALITY>
      <INDIVIDUAL_ALIAS><QUALITY>Good</QUALITY><ALIAS_NAME>Mirjana
        Kole</ALIAS_NAME></INDIVIDUAL_ALIAS>
      <INDIVIDUAL_ALIAS><QUALITY>Low</QUALITY><ALIAS_NAME>The Tall</ALIAS_NAME></INDIVIDUAL_ALIAS>
      <INDIVIDUAL_ALIAS><QUALITY/><ALIAS_NAME/></INDIVIDUAL_ALIAS>
      <INDIVIDUAL_DATE_OF_BIRTH><TYPE_OF_DATE>EXACT</TYPE_OF_DATE><DATE>1971-04-03</DATE></INDIVIDUAL_DATE_OF_BIRTH>
      <INDIVIDUAL_DATE_OF_BIRTH><TYPE_OF_DATE>EXACT</TYPE_OF_DATE><YEAR>1972</YEAR></INDIVIDUAL_DATE_OF_BIRTH>
      <INDIVIDUAL_DATE_OF_BIRTH><TYPE_OF_DATE>APPROXIMATELY</TYPE_OF_DATE><YEAR>1973</YEAR></INDIVIDUAL_DATE_OF_BIRTH>
      <INDIVIDUAL_DATE_OF_BIRTH><TYPE_OF_DATE>BETWEEN</TYPE_OF_DATE><FROM_YEAR>1974</FROM_YEAR><TO_YEAR>1976</TO_YEAR></INDIVIDUAL_DATE_OF_BIRTH>
      <INDIVIDUAL_DATE_OF_BIRTH><TYPE_OF_DATE/></INDIVIDUAL_DATE_OF_BIRTH>
      <INDIVIDUAL_DOCUMENT><TYPE_OF_DOCUMENT>Passport</TYPE_OF_DOCUMENT><NUMBER>X0000001</NUMBER></INDIVIDUAL_DOCUMENT>
      <INDIVIDUAL_DOCUMENT/>
    </INDIVIDUAL>
    <INDIVIDUAL><DATAID>112</DATAID><FIRST_NAME>TOBIN</FIRST_NAME></INDIVIDUAL>
  </INDIVIDUALS>
  <ENTITIES>
    <ENTITY>
      <DATAID>211</DATAID>
      <FIRST_NAME>PETREL TRADING</FIRST_NAME>
      <ENTITY_ALIAS><QUALITY>f.k.a.</QUALITY><ALIAS_NAME>GULL TRADING</ALIAS_NAME></ENTITY_ALIAS>
    </ENTITY>
  </ENTITIES>
</CONSOLIDATED_LIST>
"#;

pub(crate) const SDN: &str = "\
11,\"KOLE, Mira\",\"individual\",\"SDGT] [IFSR\",\"Treasurer\",-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,\"DOB 03 Apr 1971; nationality Iran; Gender Female; Passport X0000001 (Iran) expires 01 Jan 2030; Digital Currency Address - XBT 1invented1WalletOfMira; Linked To: PET\"\r
12,\"PETREL TRADING\",-0- ,\"SDGT\",-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,-0- ,\"Digital Currency Address - ETH 0xABCDEF0123456789abcdef0123456789ABCDEF01.\"\r
13,\"PETREL\",\"vessel\",\"SDGT\",-0- ,\"EQAB\",\"Tug\",-0- ,-0- ,\"Malta\",\"PETREL TRADING\",-0- \r
\u{1A}";

pub(crate) const ALT: &str = "\
11,1,\"aka\",\"KOLE, Mirjana\",-0- \r
11,2,\"fka\",\"ZUL, Mira\",-0- \r
\u{1A}";

pub(crate) const ADD: &str = "11,1,\"Rue 1\",\"Utopia City\",\"Utopia\",-0- \r\n\u{1A}";

pub(crate) const COMMENTS: &str = "11,\"REL TRADING; a.k.a. 'The Tall'; DOB 1972.\"\r\n\u{1A}";

pub(crate) const PLAIN: &str = "\
id,name,aliases,birth_date,nationality,gender,wallets,programme,remarks
P1,Mira Kole,Mirjana Kole;Mira Zul,1971-04-03,Iran,female,0xABCDEF0123456789abcdef0123456789ABCDEF01,WATCH,\"tall, loud\"
P2,Tobin Ashgrove,,1980,,,,,
";

pub(crate) fn ofac() -> List {
    OfacReader::primary(SDN.as_bytes())
        .and_then(|set| set.aliases(ALT.as_bytes()))
        .and_then(|set| set.addresses(ADD.as_bytes()))
        .and_then(|set| set.comments(COMMENTS.as_bytes()))
        .and_then(OfacReader::finish)
        .unwrap()
}

/// An engine over a list in the plain format, without its header `id,name,…`.
pub(crate) fn engine(header: &str, rows: &str, options: Options) -> Engine {
    let list = read_plain(format!("{header}\n{rows}\n").as_bytes()).unwrap();
    Engine::new(vec![Snapshot::new("test", list.into_entities())], options)
}

pub(crate) fn write(folder: &Path, name: &str, text: impl AsRef<[u8]>) -> PathBuf {
    let path = folder.join(name);
    fs::write(&path, text).unwrap();
    path
}

/// The OFAC set in a folder; gives the main file.
pub(crate) fn write_ofac(folder: &Path) -> PathBuf {
    write(folder, "ALT.CSV", ALT);
    write(folder, "add.csv", ADD);
    write(folder, "sdn_comments.csv", COMMENTS);
    write(folder, "sdn.csv", SDN)
}

/// Midnight, so many days after 2026-03-01.
pub(crate) fn day(number: i64) -> Timestamp {
    Timestamp::from_unix_millis(1_772_323_200_000 + number * 86_400_000).unwrap()
}

pub(crate) fn named(name: &str) -> Subject<'static> {
    Subject::named(name)
}

/// What this thread computes for, however busy the machine is.
pub(crate) fn processor_time(work: impl FnOnce()) -> Duration {
    let now = || Duration::try_from(clock_gettime(ClockId::ThreadCPUTime)).unwrap();
    let before = now();
    work();
    now().saturating_sub(before)
}
