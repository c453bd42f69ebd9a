//! Names that many people bear.

use std::sync::LazyLock;

use crate::plain_hash::PlainSet;

/// Whether so many people bear a name, given in its usual spelling, that it says little about who
/// is meant.
pub(crate) fn is_common(word: &str) -> bool {
    COMMON.contains(word)
}

/// Whether a tenth of some people bears it.
pub(crate) fn is_very_common(word: &str) -> bool {
    VERY_COMMON.contains(word)
}

static COMMON: LazyLock<PlainSet<&str>> =
    LazyLock::new(|| COMMON_NAMES.iter().flat_map(|line| line.split_whitespace()).collect());

static VERY_COMMON: LazyLock<PlainSet<&str>> =
    LazyLock::new(|| VERY_COMMON_NAMES.split_whitespace().collect());

const VERY_COMMON_NAMES: &str =
    "abd ahmad ali hasan husayn ibrahim jose juan khan kim maria muhammad";

/// Given names and family names, by where they are common.
const COMMON_NAMES: [&str; 7] = [
    // Arabic, Persian, Turkish and Urdu.
    "abbas abd abdaziz abdhamid abdjalil abdkarim abdlah abdlatif abdmajid abdmalik abdqadir abdrahim \
     abdrahman abdrashid abdsalam abdwahab ahmad ahmadi aisha akbar ali ameer amir anwar aziz bilal daoud \
     dawud fatima haidar hakim hamed hamid hamza hamzah hasan haydar hosseini husayn husseini ibrahim \
     idris isa ismail jafar jamal kareem karim karimi khadija khalid khan mahdi mahmud majid malik maryam \
     mehdi mostafa muhammad muhammadi musa mustafa naser nasir nasser rashed rashid reza rezaei said saleem \
     saleh salem salih salim samir sayyid shah sulayman tarek tariq umar uthman yahya yunus yusuf zakariya \
     zaynab",
    // Spanish and Portuguese.
    "alvarez ana antonio carlos carmen castro costa cruz diaz eduardo fernandez fernando ferreira flores \
     francisco garcia gomez gonzales gonzalez gutierrez hernandez javier jesus jimenez jose juan lopez luis \
     manuel maria mario martinez miguel morales moreno oliveira ortiz pedro pereira perez rafael ramirez \
     reyes ricardo rivera roberto rodriguez romero rosa ruiz sanchez santos silva sousa souza torres vargas",
    // English and French.
    "anderson brown charles daniel david davis james jean johnson jones joseph marie mark martin mary \
     miller pierre richard robert smith taylor thomas william williams wilson",
    // Slavic.
    "aleksandr aleksey andrey anna dmitry georgy igor ivan mikhail natalia nikolay oleg olga pavel pyotr \
     sergey tatiana viktor vladimir yelena yuri irina",
    // Chinese.
    "chen huang li liu wang wu yang zhang zhao zhou",
    // Korean.
    "cho choe choi chol chong jong kang kim lee myong pak park ri song yong",
    // Burmese and Vietnamese.
    "aung maung nguyen tran",
];
