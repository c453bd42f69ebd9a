use kyc_core::Timestamp;
use kyc_store_sqlite::{CopyCounts, DocumentFile};

use super::*;
use crate::backup::manifest::Manifest;
use crate::backup::member::EditionFile;

/// Members with their contents.
type Contents = Vec<(Member, Vec<u8>)>;

fn document(number: u32) -> Member {
    let id = kyc_core::DocumentId::from_bytes(u128::from(number).to_be_bytes());
    Member::Document(DocumentFile { client: kyc_core::ClientId::new(7).unwrap(), id })
}

fn manifest() -> Manifest {
    let counts = CopyCounts { submissions: 3, documents: 2, document_bytes: 1_000 };
    Manifest::new(3, counts, Timestamp::EARLIEST)
}

fn small() -> Contents {
    vec![
        (Member::Database, vec![1; 700]),
        (Member::Pepper, vec![2; 32]),
        (Member::Lists, b"{}".to_vec()),
        (Member::Edition(EditionFile::new("UN", "0a", "list.xml").unwrap()), vec![3; 512]),
        (document(1), Vec::new()),
        (document(2), vec![4; 513]),
    ]
}

fn written(contents: &Contents) -> Vec<u8> {
    let mut archive = ArchiveWriter::new(Vec::new());
    for (member, content) in contents {
        archive.add(member, content.len() as u64, &mut content.as_slice()).unwrap();
    }
    archive.finish(&manifest()).unwrap()
}

fn read(bytes: &[u8]) -> Result<(Contents, Manifest), Damage> {
    use std::io::Read;
    let mut contents = Vec::new();
    let manifest = ArchiveReader::new(bytes).read(&mut |member, _, content| {
        let mut bytes = Vec::new();
        content.read_to_end(&mut bytes)?;
        contents.push((member.clone(), bytes));
        Ok::<_, Damage>(())
    })?;
    Ok((contents, manifest))
}

#[test]
fn what_was_written_is_read() {
    let (contents, manifest) = read(&written(&small())).unwrap();
    assert_eq!(contents, small());
    assert_eq!(manifest, self::manifest());
}

#[test]
fn checksums_come_in_lists_of_bounded_length() {
    let mut contents = small();
    contents.extend((3..20_010).map(|number| (document(number), vec![0; 1])));
    let bytes = written(&contents);
    assert_eq!(read(&bytes).unwrap().0, contents);
    let lists = ["SHA256SUMS.0001", "SHA256SUMS.0003", "SHA256SUMS.0004"];
    let has = |name: &str| bytes.chunks(BLOCK).any(|block| block.starts_with(name.as_bytes()));
    assert!(lists.iter().all(|name| has(name)) && !has("SHA256SUMS.0005"));
}

#[test]
fn t24_every_changed_bit_is_noticed() {
    let whole = written(&small());
    for at in 0..whole.len() {
        for bit in 0..8 {
            let mut changed = whole.clone();
            changed[at] ^= 1 << bit;
            assert!(read(&changed).is_err(), "bit {bit} of byte {at}");
        }
    }
}

#[test]
fn t24_every_cut_is_noticed() {
    let whole = written(&small());
    for end in 0..whole.len() {
        assert!(matches!(read(&whole[..end]), Err(Damage::Truncated)), "cut at {end}");
    }
    assert!(matches!(read(&[&whole[..], b"\0"].concat()), Err(Damage::TooLong)));
}

#[test]
fn a_changed_member_is_named() {
    let mut contents = small();
    let whole = written(&contents);
    contents[5].1[100] = 9;
    let changed = written(&contents);
    // The contents of one and the checksums of the other.
    let place = whole.iter().zip(&changed).position(|(one, other)| one != other).unwrap();
    let mut mixed = whole.clone();
    mixed[place] = changed[place];
    match read(&mixed) {
        Err(Damage::Changed { member }) => assert_eq!(member, contents[5].0.path()),
        other => panic!("{other:?}"),
    }
}

#[test]
fn members_have_one_order_and_come_once() {
    for (one, other) in [(4, 5), (3, 4), (1, 2), (0, 1)] {
        let mut contents = small();
        contents.swap(one, other);
        assert!(matches!(
            read(&written(&contents)),
            Err(Damage::Misplaced { .. } | Damage::NotOurs)
        ));
        let mut contents = small();
        contents.insert(one, contents[one].clone());
        assert!(matches!(read(&written(&contents)), Err(Damage::Misplaced { .. })));
    }
}

#[test]
fn any_tar_can_unpack_it() {
    let bytes = written(&small());
    let mut archive = tar::Archive::new(bytes.as_slice());
    let paths: Vec<String> = archive
        .entries()
        .unwrap()
        .map(|entry| entry.unwrap().path().unwrap().to_str().unwrap().to_owned())
        .collect();
    assert_eq!(paths.len(), small().len() + 3, "two lists of checksums and the manifest");
}
