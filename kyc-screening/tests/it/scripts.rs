use kyc_screening::{Engine, Entity, EntityKind, NameKey, Options, Person, Query, Snapshot};
use proptest::prelude::*;
use unicode_normalization::UnicodeNormalization;

/// What the listed name scores for the other one, and that the index finds it, whichever is listed.
#[track_caller]
fn check(name: &str, other: &str, least: u16) {
    let options = Options::default();
    let [one, two] = [name, other].map(|name| NameKey::of(name, &options));
    let score = one.similarity(&two).thousandths();
    assert!((least..=1_000).contains(&score), "{name} and {other} score {score}");
    for (listed, looked_for) in [(name, other), (other, name)] {
        let hits = found(&[listed], looked_for);
        assert_eq!(hits, [(listed.to_owned(), score)], "{looked_for}");
    }
}

/// What is found of some listed names, each with its score.
fn found(listed: &[impl AsRef<str>], looked_for: &str) -> Vec<(String, u16)> {
    let options = Options { hits_max: u8::MAX, ..Options::default() };
    let entities = listed.iter().map(|name| {
        let name = name.as_ref();
        Entity::new(name, name, EntityKind::Person(Person::default()))
    });
    let engine = Engine::new(vec![Snapshot::new("watch", entities.collect())], options);
    let hits = engine.explain(&Query::named(looked_for));
    hits.into_iter().map(|(hit, _)| (hit.matched, hit.score.thousandths())).collect()
}

#[track_caller]
fn check_strangers(name: &str, other: &str) {
    let [one, two] = [name, other].map(|name| NameKey::of(name, &Options::default()));
    assert!(one.similarity(&two).thousandths() < 700, "{name} and {other}");
}

#[track_caller]
fn check_key(name: &str, expected: &str) {
    assert_eq!(NameKey::of(name, &Options::default()).to_string(), expected, "{name}");
}

#[test]
fn hangul_is_found_in_any_romanisation() {
    for (hangul, romanised) in [
        ("김두호", "Kim Tu Ho;KIM, Du-ho;Gim Du-ho;Kim Doo Ho;Kim Tuho"),
        ("신지우", "Sin Ji U;Shin Jiwoo;SHIN, Ji-woo"),
        ("안철서", "An Chol So;Ahn Cheol-seo;AHN Cheolseo"),
        ("박철명", "Pak Chol Myong;Park Cheol-myeong;Bak Cheolmyeong;PARK, Chul Myung"),
        ("이영희", "Ri Yong Hui;Lee Young-hee;Yi Yeong-hui;LEE Younghee"),
        ("최룡주", "Choe Ryong Ju;Choi Ryong-joo"),
        ("정현우", "Jong Hyon U;Chung Hyun-woo;Jeong Hyeon-u;Jung Hyunwoo"),
        ("임수진", "Rim Su Jin;Lim Soo-jin;Im Sujin"),
        ("유병철", "Yu Pyong Chol;Yoo Byung-chul;Ryu Byongchol"),
        ("노광 철", "No Kwang Chol;Roh Gwang-cheol"),
    ] {
        for romanised in romanised.split(';') {
            check(hangul, romanised, 850);
        }
    }
    check("김두호", "김두호", 1_000);
    check("이슬 김", "김이슬", 1_000);
    check("김 이슬", "김이슬", 1_000);
    check("김 이슬", "Gim Iseul", 850);
    check("리설주", "이설주", 950);
    // Read in Arabic it is a particle, and says less.
    check("리수빈", "Lee Soo Bin", 700);
    check_strangers("韓民", "한민");
    check_strangers("김두호", "김두후");
    check_strangers("현종우", "현정우");
    check_strangers("김두호", "Kim Ji Ho");
    check_strangers("박철명", "Pak Chang Myong");
    check_strangers("이영희", "Li Yang He");
}

#[test]
fn it_does_not_matter_whether_letters_are_written_with_their_marks_or_before_them() {
    for name in
        ["김두호", "Сергій Йовенко", "ジェシカ ガンダ", "Ángel Nuñez", "أحمد رؤوف", "Trần Đức Ấn"]
    {
        let apart: String = name.nfd().collect();
        assert_ne!(apart, name);
        check(name, &apart, 1_000);
        let [one, other] = [name, &apart].map(|name| NameKey::of(name, &Options::default()));
        assert_eq!(one.to_string(), other.to_string());
    }
}

#[test]
fn kana_are_read_in_syllables() {
    check_key("きょうこ しゅう", "kyouko shuu");
    check_key("ジェシカ チャン", "jeshika chan");
    check_key("ファビオ ティーノ", "fabio tino");
    check_key("はっとり", "hatori");
    check_key("ヤマダ", "yamada");
    check_key("ウィリアム デュラン", "wiriamu dyuran");
    check("たなべ きょうこ", "Tanabe Kyoko", 850);
    check("ハットリ リョウタ", "Hattori Ryota", 850);
}

#[test]
fn greek_has_one_letter_for_two() {
    check_key("Μπάμπης Γκίκας", "bampis gikas");
    check_key("ΝΤΑΛΗΣ ΕΥΑΓΓΕΛΟΣ", "dalis evangelos");
    check_key("Παύλος Ζαχαρίου", "pavlos zachariou");
    check_key("Άγγελος Αντωνίου", "angelos antoniou");
    check_key("Ευτυχία Γιαγχίδου", "eftychia gianchidou");
    check("Μπάμπης Γκίκας", "Babis Gikas", 850);
    check("Ευάγγελος Ντάλης", "Evangelos Dalis", 1_000);
}

#[test]
fn thai_has_vowels_before_their_consonant_and_silent_letters() {
    check_key("ทองใบ", "thongbai");
    check_key("เอก โอชา", "ek ocha");
    check_key("แสงทอง", "saengthong");
    check_key("จันทร์", "chanth");
    check_key("สวัสดิ์", "swas");
    check_key("Tormund Vex\u{E4C}ley\u{E4C}", "tormund vexley");
    check_key("จันทร์\u{E4C}\u{E4C}", "chanth");
    check("สมหวัง ทองใบ", "Somwang Thongbai", 750);
    check("สมชาย วงศ์สวัสดิ์", "Somchai Wongsawat", 750);
}

fn hangul() -> impl Strategy<Value = String> {
    "[김이리박정유영희우현철노임빈두라]{2,4}( [이두빈]{1,2})?"
}

fn romanised() -> impl Strategy<Value = String> {
    let words = "kim gim lee ri i park pak jong jung chung yoo ryu young yong hui hee u woo hyon hyun hyunwoo \
        younghee chol cheol no roh im rim bin la du da le";
    let word = prop::sample::select(words.split_whitespace().collect::<Vec<_>>());
    prop::collection::vec(word, 2..4).prop_map(|words| words.join(" "))
}

proptest! {
    #[test]
    fn the_index_loses_no_korean_name(
        listed in prop::collection::btree_set(prop_oneof![hangul(), romanised()], 1..30),
        query in hangul(),
    ) {
        let options = Options::default();
        let listed: Vec<String> = listed.into_iter().collect();
        let key = NameKey::of(&query, &options);
        let score = |name: &String| key.similarity(&NameKey::of(name, &options)).thousandths();
        let scanned = listed.iter().map(|name| (name.clone(), score(name)));
        let least = options.report_from.thousandths();
        let mut scanned: Vec<(String, u16)> = scanned.filter(|(_, score)| *score >= least).collect();
        let mut found = found(&listed, &query);
        scanned.sort();
        found.sort();
        prop_assert_eq!(found, scanned);
    }
}
