//! Where the master key comes from (D90, D91).

use std::env;
use std::path::{Path, PathBuf};

use kyc_vault::Source;
use zeroize::Zeroizing;

use super::{Globals, Keys, read};
use crate::exit::{Code, Failure};

impl Globals {
    /// Where the master key of a data folder comes from: a file in it, unless something is said.
    ///
    /// Texts of keys come from the environment alone, never from the command line, which everybody
    /// on the machine can read.
    pub(crate) fn vault(&self, data: &Path) -> Result<Source, Failure> {
        let file = self.config.as_deref().map(read).transpose()?.unwrap_or_default();
        let Keys { master_key_file, master_share_files, .. } = file;
        let given = [
            self.master_key_file.clone().or(master_key_file).map(Source::file),
            self.master_share_files.clone().or(master_share_files).map(shares).transpose()?,
            variable("KYC_MASTER_KEY")
                .map(|now| Source::text(now, variable("KYC_MASTER_KEY_NEXT"))),
            pair("KYC_MASTER_SHARE_1", "KYC_MASTER_SHARE_2")?
                .map(|now| {
                    let next = pair("KYC_MASTER_SHARE_1_NEXT", "KYC_MASTER_SHARE_2_NEXT");
                    Ok::<_, Failure>(Source::share_texts(now, next?))
                })
                .transpose()?,
        ];
        let [.., text, texts] = &given;
        refuse_next_alone(text.is_some(), &["KYC_MASTER_KEY_NEXT"])?;
        let next = ["KYC_MASTER_SHARE_1_NEXT", "KYC_MASTER_SHARE_2_NEXT"];
        refuse_next_alone(texts.is_some(), &next)?;
        let mut given = given.into_iter().flatten();
        match (given.next(), given.next()) {
            (None, _) => Ok(Source::file(data.join("master.key"))),
            (Some(source), None) => Ok(source),
            (Some(_), Some(_)) => Err(unusable("the master key comes from two places: name one")),
        }
    }
}

/// A key to change to is of use beside a current one that is given in the same way. Whoever sets it
/// for another one believes that a rotation takes it (D130).
fn refuse_next_alone(is_current_given: bool, next: &[&str]) -> Result<(), Failure> {
    match next.iter().find(|name| !is_current_given && variable(name).is_some()) {
        None => Ok(()),
        Some(name) => {
            let current = name.trim_end_matches("_NEXT");
            Err(unusable(&format!(
                "{name} is set without {current}, beside which alone it is used: a rotation of a key \
                 in a file makes the new one itself; unset it"
            )))
        }
    }
}

fn shares(files: Vec<PathBuf>) -> Result<Source, Failure> {
    let files = files.try_into().map_err(|_| unusable("the custodians' shares are two files"))?;
    Ok(Source::share_files(files))
}

/// Two variables that belong together.
fn pair(one: &str, other: &str) -> Result<Option<[Zeroizing<String>; 2]>, Failure> {
    match (variable(one), variable(other)) {
        (None, None) => Ok(None),
        (Some(first), Some(second)) => Ok(Some([first, second])),
        (Some(_), None) | (None, Some(_)) => {
            Err(unusable(&format!("{one} and {other} belong together: set both or none")))
        }
    }
}

fn variable(name: &str) -> Option<Zeroizing<String>> {
    env::var(name).ok().filter(|text| !text.is_empty()).map(Zeroizing::new)
}

fn unusable(sentence: &str) -> Failure {
    Failure::new(Code::Configuration, sentence)
}
