//! What a development start tells the person at the terminal.

use std::path::Path;

use super::accounts::Secrets;
use super::ready::Place;
use crate::config::Globals;
use crate::exit::Failure;
use crate::output::{data, quoted, talk};

/// Says where the service is and how to call it. Secrets, and lines that hold one, go to standard
/// output alone: standard error may be kept as a log.
pub(super) fn show(
    globals: &Globals,
    data_folder: &Path,
    place: &Place,
    secrets: Option<&Secrets>,
    uses_sample: bool,
) -> Result<(), Failure> {
    let url = &place.url;
    let ca_file = place.ca_file.as_deref().unwrap_or(Path::new("")).display().to_string();
    talk(format_args!(
        "kyc {version}: a development start, for this machine alone\n\n\
         \x20 clients     {url}/v2  and  {url}/f1\n\
         \x20 inspectors  {url}/review/v1\n\
         \x20 data        {data_folder}\n\
         \x20 trust       {ca_file}",
        version = env!("CARGO_PKG_VERSION"),
        data_folder = data_folder.display(),
    ));
    if uses_sample {
        talk(format_args!(
            "\nSAMPLE LIST IN USE: applicants are compared with invented people. Inspectors see the \
             mark SAMPLE,\nclients a risk level like any other: it proves nothing. Import real \
             lists:\n{}",
            globals.command("list update")
        ));
    }
    let curl = |key: &str| {
        let ca_file = quoted(&ca_file);
        format!("curl --cacert {ca_file} -H {key} {url}/v2/submissions/resultall")
    };
    if let Some(Secrets { api_key, token }) = secrets {
        talk("\nThe first key and token. They are shown this once, on standard output:\n");
        data(format_args!("api_key          {}", api_key.as_str()))?;
        if let Some(token) = token {
            data(format_args!("inspector_token  {}", token.as_str()))?;
        }
        talk("\nTry it:\n");
        data(curl(&quoted(&format!("x-api-key: {}", api_key.as_str()))))?;
    } else {
        let another = globals.command("key create --client NAME");
        talk(format_args!("\nTry it, with your key in KYC_API_KEY (another: {another}):\n"));
        talk(curl("\"x-api-key: $KYC_API_KEY\""));
    }
    talk("\nThe tour in README.md goes from an upload to a risk level. Stop with Ctrl-C.\n");
    Ok(())
}
