//! One spelling for each digital currency address.

/// The spelling under which an address is looked up: lower case where the currency ignores case
/// (EVM `0x…`, bech32 `bc1…` and the like, cash addresses), as written elsewhere (base58).
pub(crate) fn canonical(address: &str) -> String {
    let address = address.trim();
    let lower = address.to_ascii_lowercase();
    let bare = lower.strip_prefix("bitcoincash:").unwrap_or(&lower);
    if bare.len() < lower.len() || is_evm(&lower) || is_bech32(address, &lower) {
        return bare.to_owned();
    }
    address.to_owned()
}

/// `0x` and 40 hexadecimal digits; their case is only a checksum.
fn is_evm(lower: &str) -> bool {
    let digits = lower.strip_prefix("0x").unwrap_or_default();
    digits.len() == 40 && digits.bytes().all(|b| b.is_ascii_hexdigit())
}

/// A known prefix, `1`, and the bech32 alphabet; mixed case is not allowed there, so what mixes is
/// something else.
fn is_bech32(address: &str, lower: &str) -> bool {
    let is_one_case = address == lower || address == address.to_ascii_uppercase();
    let data = BECH32_PREFIXES.iter().find_map(|prefix| lower.strip_prefix(prefix));
    let is_data = |text: &str| text.len() >= 6 && text.bytes().all(|b| BECH32.contains(&b));
    is_one_case && data.is_some_and(is_data)
}

const BECH32: &[u8] = b"qpzry9x8gf2tvdw0s3jn54khce6mua7l";

/// Bitcoin and its test networks, Litecoin, Cardano, Cosmos, Binance chain, Zcash (sapling).
const BECH32_PREFIXES: [&str; 8] =
    ["bc1", "tb1", "bcrt1", "ltc1", "addr1", "cosmos1", "bnb1", "zs1"];

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(address: &str, expected: &str) {
        assert_eq!(canonical(address), expected);
        assert_eq!(canonical(expected), expected, "not idempotent");
    }

    #[test]
    fn case_is_ignored_where_the_currency_ignores_it() {
        let evm = "0xabcdef0123456789abcdef0123456789abcdef01";
        check(&evm.to_uppercase(), evm);
        check(" 0xABCDEF0123456789abcdef0123456789ABCDEF01 ", evm);
        check("BC1QQPZRY9X8GF2", "bc1qqpzry9x8gf2");
        check("bitcoincash:QPZRY9X8", "qpzry9x8");
    }

    #[test]
    fn case_counts_elsewhere() {
        check("1BoatSLRHtKNngkdXEeobR76b53LETtpyT", "1BoatSLRHtKNngkdXEeobR76b53LETtpyT");
        check("0xABCD", "0xABCD");
        check("bc1QqpzrY9x8", "bc1QqpzrY9x8");
        check("", "");
    }
}
