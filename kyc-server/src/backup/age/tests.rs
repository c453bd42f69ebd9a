//! Against the library `age`, in both directions.

use ::age::secrecy::ExposeSecret;
use ::age::{Decryptor, Encryptor, x25519};

use super::*;

/// A key pair of the library, and the same for us.
fn pair() -> (x25519::Identity, Recipient, Identities) {
    let theirs = x25519::Identity::generate();
    let recipient = theirs.to_public().to_string().parse().unwrap();
    let secret = theirs.to_string();
    (theirs, recipient, Identities(vec![identity(secret.expose_secret()).unwrap()]))
}

fn sealed(content: &[u8], recipients: &[Recipient]) -> Vec<u8> {
    let mut sealer = Sealer::new(Vec::new(), recipients).unwrap();
    sealer.write_all(content).unwrap();
    sealer.finish().unwrap()
}

fn opened(file: &[u8], identities: &Identities) -> Option<Vec<u8>> {
    let mut content = Vec::new();
    Opener::new(file, Some(identities)).ok()?.read_to_end(&mut content).ok()?;
    Some(content)
}

/// Lengths around the borders of chunks.
const LENGTHS: [usize; 8] = [0, 1, 65_535, 65_536, 65_537, 131_071, 131_072, 200_000];

#[test]
fn the_library_opens_what_is_sealed_here() {
    let (theirs, recipient, _) = pair();
    let (_, stranger, _) = pair();
    for length in LENGTHS {
        let content = vec![7; length];
        let file = sealed(&content, &[stranger.clone(), recipient.clone()]);
        let decryptor = Decryptor::new(file.as_slice()).unwrap();
        let mut opened = Vec::new();
        let keys = std::iter::once(&theirs as &dyn ::age::Identity);
        decryptor.decrypt(keys).unwrap().read_to_end(&mut opened).unwrap();
        assert_eq!(opened, content, "{length}");
    }
}

#[test]
fn what_the_library_sealed_is_opened_here() {
    let (theirs, _, ours) = pair();
    let (stranger, _, strangers) = pair();
    for length in LENGTHS {
        let content = vec![7; length];
        let keys = [stranger.to_public(), theirs.to_public()];
        let keys = keys.iter().map(|key| key as &dyn ::age::Recipient);
        let mut file = Vec::new();
        let mut writer = Encryptor::with_recipients(keys).unwrap().wrap_output(&mut file).unwrap();
        writer.write_all(&content).unwrap();
        writer.finish().unwrap();
        assert_eq!(opened(&file, &ours), Some(content.clone()), "{length}");
        assert_eq!(opened(&file, &strangers), Some(content), "{length}");
    }
}

#[test]
fn t24_every_changed_bit_and_every_cut_of_a_sealed_file_is_noticed() {
    let (_, recipient, ours) = pair();
    let content = b"a short content";
    let whole = sealed(content, &[recipient]);
    assert_eq!(opened(&whole, &ours).as_deref(), Some(&content[..]));
    for at in MAGIC.len()..whole.len() {
        assert_eq!(opened(&whole[..at], &ours), None, "cut at {at}");
        for bit in 0..8 {
            let mut changed = whole.clone();
            changed[at] ^= 1 << bit;
            assert_eq!(opened(&changed, &ours), None, "bit {bit} of byte {at}");
        }
    }
    assert_eq!(opened(&[&whole[..], b"0"].concat(), &ours), None);
}

#[test]
fn chunks_cannot_be_dropped_swapped_or_repeated() {
    let (_, recipient, ours) = pair();
    let content: Vec<u8> = (0..3 * 65_536_u32).map(|n| u8::try_from(n % 251).unwrap()).collect();
    let whole = sealed(&content, &[recipient]);
    let sealed_chunk = 65_536 + 16;
    let (head, chunks) = whole.split_at(whole.len() - 3 * sealed_chunk);
    let chunks: Vec<&[u8]> = chunks.chunks(sealed_chunk).collect();
    let joined = |order: &[usize]| {
        let parts = order.iter().map(|place| chunks[*place]);
        std::iter::once(head).chain(parts).collect::<Vec<_>>().concat()
    };
    assert_eq!(opened(&joined(&[0, 1, 2]), &ours), Some(content));
    for order in [&[0, 1][..], &[0, 2], &[1, 0, 2], &[0, 1, 1, 2], &[0, 1, 2, 2], &[2], &[]] {
        assert_eq!(opened(&joined(order), &ours), None, "{order:?}");
    }
}

#[test]
fn what_is_no_key_is_refused() {
    let (theirs, _, _) = pair();
    let public = theirs.to_public().to_string();
    let secret = theirs.to_string();
    assert!(secret.expose_secret().parse::<Recipient>().is_err());
    assert!(identity(&public).is_none());
    assert_eq!(public.to_uppercase().parse::<Recipient>(), public.parse());
    for at in 0..public.len() {
        let mut changed = public.clone().into_bytes();
        changed[at] = if changed[at] == b'q' { b'p' } else { b'q' };
        let changed = String::from_utf8(changed).unwrap();
        assert!(changed.parse::<Recipient>().is_err(), "{changed}");
        assert!(public[..at].parse::<Recipient>().is_err());
    }
    let mut mixed = public.clone();
    mixed.replace_range(5..6, &mixed[5..6].to_uppercase());
    assert!(mixed == public || mixed.parse::<Recipient>().is_err());
}
