//! Certificates, and when they are read again.

use std::fs::{self, File};
use std::time::{Duration, SystemTime};

use agon_server::tls::{Certificate, TlsFiles};
use rcgen::{CertifiedKey, KeyPair, generate_simple_self_signed};

use crate::support::Folder;

fn pair() -> CertifiedKey<KeyPair> {
    generate_simple_self_signed(["localhost".to_owned()]).expect("a certificate")
}

#[test]
fn a_certificate_is_read_again_when_both_of_its_files_go_together() {
    let folder = Folder::new();
    let files = TlsFiles { certificate: folder.0.join("cert.pem"), key: folder.0.join("key.pem") };
    let mut written = 0;
    // Each file is newer than the one before, however coarse the clock of the disk is.
    let mut write = |path, text: &str| {
        fs::write(path, text).expect("written");
        written += 1;
        let time = SystemTime::UNIX_EPOCH + Duration::from_secs(1_800_000_000 + written);
        File::options().write(true).open(path).and_then(|file| file.set_modified(time)).expect("a date");
    };
    let (old, new) = (pair(), pair());
    let missing = Certificate::load(files.clone()).expect_err("there is nothing").to_string();
    assert!(missing.contains("cert.pem"), "{missing}");
    write(&files.certificate, &old.cert.pem());
    write(&files.key, &new.signing_key.serialize_pem());
    let mixed = Certificate::load(files.clone()).expect_err("they do not go together").to_string();
    assert!(mixed.contains("cert.pem") && mixed.contains("key.pem"), "{mixed}");
    write(&files.key, &old.signing_key.serialize_pem());

    let certificate = Certificate::load(files.clone()).expect("they go together");
    let used = || certificate.current().cert[0].to_vec();
    assert_eq!(used(), old.cert.der().to_vec());
    assert!(!certificate.reload().expect("nothing has changed"));
    write(&files.certificate, &new.cert.pem());
    assert!(certificate.reload().is_err(), "the key is still the old one");
    assert_eq!(used(), old.cert.der().to_vec());
    assert!(!certificate.reload().expect("that is said once"));
    write(&files.key, &new.signing_key.serialize_pem());
    assert!(certificate.reload().expect("they go together"));
    assert_eq!(used(), new.cert.der().to_vec());
    for nonsense in ["", "no PEM", "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n"] {
        write(&files.certificate, nonsense);
        assert!(certificate.reload().is_err(), "{nonsense}");
    }
    fs::remove_file(&files.key).expect("it is there");
    assert!(certificate.reload().is_err());
    assert_eq!(used(), new.cert.der().to_vec(), "the last one that made sense");
}
