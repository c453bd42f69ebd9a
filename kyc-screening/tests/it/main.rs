//! What the crate promises, from the outside.

#[cfg(test)]
mod fixtures; // small lists in the public formats, about invented people
#[cfg(test)]
mod hostile; // inputs that were made to cost time
#[cfg(test)]
mod library; // importing, and what survives a failed import
#[cfg(test)]
mod names; // pairs of names, and properties of their similarity
#[cfg(test)]
mod readers; // what is read, and every fault with its place
#[cfg(test)]
mod real_lists; // the lists of the environment variable `KYC_LISTS_DIR`
#[cfg(test)]
mod screener; // the port: policy, modes, replacement
#[cfg(test)]
mod screening; // a person against a list: scores, reasons, risk
