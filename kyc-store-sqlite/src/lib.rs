//! kyc-store-sqlite
