//! Header lines of a part, and the parameters in their values.

/// Divides a line with its end into a field name and a value without the spaces around it.
///
/// `None` for a line that does not end in CR LF, has no field name (a folded line has none), or
/// contains a control character.
pub(super) fn field(line: &[u8]) -> Option<(&[u8], &[u8])> {
    let line = line.strip_suffix(b"\r\n")?;
    let (name, value) = split_once(line, b':')?;
    let printable = value.iter().all(|byte| *byte == b'\t' || !byte.is_ascii_control());
    (is_token(name) && printable).then(|| (name, value.trim_ascii()))
}

/// Divides `form-data; name="file"` before the first semicolon.
pub(super) fn split_word(value: &[u8]) -> (&[u8], &[u8]) {
    let end = value.iter().position(|byte| *byte == b';').unwrap_or(value.len());
    let (word, parameters) = value.split_at(end);
    (word.trim_ascii(), parameters)
}

/// The value of one parameter of `; name=value; name="quoted value"`, `None` if it is absent.
///
/// # Errors
///
/// [`Malformed`] if any parameter is malformed, or the wanted one is given twice.
pub(super) fn parameter(mut rest: &[u8], wanted: &[u8]) -> Result<Option<Vec<u8>>, Malformed> {
    let mut found = None;
    loop {
        rest = rest.trim_ascii_start();
        let Some(parameter) = rest.strip_prefix(b";").map(<[u8]>::trim_ascii_start) else {
            return if rest.is_empty() { Ok(found) } else { Err(Malformed) };
        };
        if parameter.is_empty() || parameter.starts_with(b";") {
            rest = parameter;
            continue;
        }
        let (name, value) = split_once(parameter, b'=').ok_or(Malformed)?;
        if !is_token(name) {
            return Err(Malformed);
        }
        let (value, following) = if let Some(quoted) = value.strip_prefix(b"\"") {
            unquote(quoted).ok_or(Malformed)?
        } else {
            let (value, following) = split_word(value);
            (value.to_vec(), following)
        };
        rest = following;
        if name.eq_ignore_ascii_case(wanted) && found.replace(value).is_some() {
            return Err(Malformed);
        }
    }
}

/// A parameter that cannot be read.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Malformed;

/// Reads up to the closing quote.
///
/// A backslash protects a quote or a backslash. Before anything else it is itself, since some
/// browsers send file names with their folders.
fn unquote(mut rest: &[u8]) -> Option<(Vec<u8>, &[u8])> {
    let mut value = Vec::new();
    loop {
        let byte = match rest {
            [b'"', following @ ..] => return Some((value, following)),
            [b'\\', byte @ (b'"' | b'\\'), following @ ..] | [byte, following @ ..] => {
                rest = following;
                *byte
            }
            [] => return None,
        };
        value.push(byte);
    }
}

/// Whether it is a token of RFC 9110, as names of headers and parameters are.
fn is_token(name: &[u8]) -> bool {
    let allowed = |byte: &u8| byte.is_ascii_alphanumeric() || b"!#$%&'*+-.^_`|~".contains(byte);
    !name.is_empty() && name.iter().all(allowed)
}

fn split_once(bytes: &[u8], separator: u8) -> Option<(&[u8], &[u8])> {
    let at = bytes.iter().position(|byte| *byte == separator)?;
    Some((bytes.get(..at)?, bytes.get(at + 1..)?))
}
