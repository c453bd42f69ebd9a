//! Given names that are the same name.

use std::num::NonZeroU8;
use std::sync::LazyLock;

use crate::plain_hash::PlainMap;

/// The usual spelling of a name that is known to have several.
pub(crate) fn usual(word: &str) -> Option<Usual> {
    USUAL.get(word).copied()
}

/// A given name that has several spellings, by its usual one.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) struct Usual(NonZeroU8);

impl Usual {
    /// Its line in the table, from 1.
    pub(crate) fn number(self) -> u8 {
        self.0.get()
    }

    /// The reverse of [`number`](Self::number); `None` for 0.
    pub(crate) fn of_number(number: u8) -> Option<Self> {
        NonZeroU8::new(number).map(Self)
    }

    /// The usual spelling.
    pub(crate) fn as_str(self) -> &'static str {
        let line = VARIANTS.get(usize::from(self.number()) - 1);
        line.and_then(|line| line.split(' ').next()).unwrap_or("")
    }
}

static USUAL: LazyLock<PlainMap<&str, Usual>> = LazyLock::new(|| {
    let lines = (1..).map_while(Usual::of_number).zip(VARIANTS);
    lines.flat_map(|(usual, line)| line.split(' ').map(move |word| (word, usual))).collect()
});

/// The usual spelling, then others: where spelling rules do not lead from one to the other.
const VARIANTS: [&str; 49] = [
    "muhammad mohammad mohammed mohamed mohamad muhammed mohd md muhamad muhamed mohammod mohamud \
     mahomed mehmed mehmet mhmd mohamet muhamet mochammad mochamad",
    "mahmud mahmoud mahmood mahmut mehmood mhmwd",
    "ahmad ahmed ahmet achmad ahamed ahmd",
    "abu abou abw aby abi bou abo",
    "bin ben ibn bn",
    "ali aly aali",
    "husayn hussein hussain husein hosein hossein hocine houcine husain hussien hosain hsyn",
    "hasan hassan hassane hasane hsn",
    "yusuf youssef yousef yousuf youcef yusif yosif joseph jozef josef iosif yusup ywsf",
    "ibrahim ebrahim abraham ibraheem brahim",
    "ismail esmail ismael ismayil",
    "sulayman suleiman sulaiman soleiman suleyman solomon",
    "umar omar omer",
    "uthman osman othman usman",
    "usama osama oussama ousama",
    "said saeed saeid syed",
    "sayyid sayed sayyed seyed seyyed",
    "khalid khaled",
    "musa moussa mousa moses",
    "isa eissa issa",
    "yahya yehia yahia",
    "jafar djafar gafar",
    "jamal gamal djamel cemal jamel",
    "aleksandr alexander aleksander alexandre alexandr alejandro alexandros oleksandr aliaksandr \
     aleksandar olexandr alyaksandr",
    "aleksey alexei alexey aleksei oleksiy oleksii aliaksei",
    "andrey andrei andrew andriy andrii andrej andreas andres",
    "dmitry dmitri dmitriy dimitri dmytro dzmitry dmitrij",
    "evgeny yevgeny evgeniy yevgeni yevgeniy evgueni yauhen yevhen eugene",
    "igor ihor ihar",
    "ivan iwan",
    "mikhail michael mykhailo mikhael mihail mykhaylo mikhaylo mihajlo mikhal michail",
    "nikolay nikolai nicholas mykola nicolas mikalai nikolaj nicolae nikola",
    "oleg oleh aleh",
    "pavel pavlo paul pablo paval",
    "pyotr petr peter petro pedro piotr",
    "sergey sergei serhiy serhii siarhei sergej sergejs serge sergio syarhei",
    "vladimir volodymyr wladimir uladzimir vladimirs",
    "viktor victor viktar",
    "yuri yury yuriy yurii iouri juri jurij",
    "vasily vasiliy vasyl vasili vasil",
    "georgy georgi george georgiy giorgi heorhiy jorge",
    "grigory grigoriy hryhoriy ryhor gregory",
    "konstantin kostyantyn constantin constantine kanstantsin",
    "yelena elena olena helena alena",
    "natalia natalya nataliya natallia",
    "yekaterina ekaterina katerina catherine katherine kateryna",
    "jose joseba",
    "juan john giovanni joao jean johann yann",
    "jacob yakov yaakov iakov yakub yaqub",
];
