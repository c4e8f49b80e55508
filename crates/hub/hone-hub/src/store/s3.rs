//! Objects of a bucket of object storage with the API of S3.
//!
//! The storage must know conditional puts (`If-None-Match` and `If-Match`), as S3 itself does; storage that ignores them
//! is refused when it is opened, since nothing else keeps two replicas apart. Calls block, and must not come from
//! asynchronous code.

use std::io;
use std::ops::Range;
use std::time::Duration;

use futures_util::{StreamExt, TryStreamExt};
use object_store::aws::{AmazonS3, AmazonS3Builder, S3ConditionalPut};
use object_store::path::Path;
use object_store::{
    ClientOptions, Error, ObjectStore, ObjectStoreExt, PutMode, PutOptions, RetryConfig,
    UpdateVersion,
};
use tokio::runtime::{Builder, Runtime};

use super::error::{StoreError, Tried};
use super::objects::{Appender, Listed, Object, Objects, Part, Version};

/// Time after which a request is given up.
const REQUEST_TIMEOUT: Duration = Duration::from_secs(60);
/// Time for which requests are tried again.
const RETRY_TIMEOUT: Duration = Duration::from_secs(120);
/// Threads that wait for the network.
const THREADS: usize = 2;
/// Requests of one question that are under way at once.
const REQUESTS_AT_ONCE: usize = 16;

/// Where a bucket is. What is `None` comes from the environment (`AWS_REGION`, `AWS_ACCESS_KEY_ID` and the like) or from
/// the machine's own role.
#[derive(Clone, Debug, Default)]
pub struct Bucket {
    /// Name of the bucket.
    pub name: String,
    /// First part of all names in the bucket; empty for none.
    pub prefix: String,
    /// Address of the storage, such as `https://s3.example.com`; `None` for AWS.
    pub endpoint: Option<String>,
    /// Region.
    pub region: Option<String>,
    /// Key id and secret key.
    pub keys: Option<(String, String)>,
}

/// Objects of a bucket.
pub struct S3 {
    store: AmazonS3,
    prefix: String,
    runtime: Runtime,
}

impl S3 {
    /// Opens a bucket, which must be there.
    ///
    /// # Errors
    ///
    /// [`StoreError::Storage`] if the bucket cannot be reached, or does not know conditional puts.
    pub fn open(bucket: &Bucket) -> Result<Self, StoreError> {
        // Whoever comes first decides for the process: the agent's TLS is by ring too.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let mut builder = AmazonS3Builder::from_env()
            .with_bucket_name(&bucket.name)
            .with_conditional_put(S3ConditionalPut::ETagMatch)
            .with_client_options(ClientOptions::new().with_timeout(REQUEST_TIMEOUT))
            .with_retry(RetryConfig {
                retry_timeout: RETRY_TIMEOUT,
                ..RetryConfig::default()
            });
        if let Some(endpoint) = &bucket.endpoint {
            let is_plain = endpoint.starts_with("http://");
            builder = builder.with_endpoint(endpoint).with_allow_http(is_plain);
        }
        if let Some(region) = &bucket.region {
            builder = builder.with_region(region);
        }
        if let Some((id, secret)) = &bucket.keys {
            builder = builder
                .with_access_key_id(id)
                .with_secret_access_key(secret);
        }
        let store = builder.build().map_err(to_io).tried("open", &bucket.name)?;
        let runtime = Builder::new_multi_thread()
            .worker_threads(THREADS)
            .enable_all()
            .build()
            .tried("start threads for", &bucket.name)?;
        let prefix = match bucket.prefix.trim_matches('/') {
            "" => String::new(),
            prefix => format!("{prefix}/"),
        };
        let opened = Self {
            store,
            prefix,
            runtime,
        };
        opened
            .check_conditions()
            .tried("use", &format!("the bucket {}", bucket.name))?;
        Ok(opened)
    }

    /// Makes sure that a put under a condition that does not hold is refused.
    fn check_conditions(&self) -> io::Result<()> {
        const PROBE: &str = "conditions";
        self.put(PROBE, b"this object is there")?;
        let wrong = Version("\"00000000000000000000000000000000\"".to_owned());
        if self.put_if_absent(PROBE, b"absent?")? || self.replace(PROBE, b"other?", &wrong)? {
            return Err(io::Error::new(
                io::ErrorKind::Unsupported,
                "the object storage ignores If-None-Match or If-Match: use one that knows conditional puts",
            ));
        }
        Ok(())
    }

    fn path(&self, name: &str) -> Path {
        let name = format!("{}{name}", self.prefix);
        // Names of services are escaped already.
        Path::parse(&name).unwrap_or_else(|_| Path::from(name))
    }

    /// Writes under a condition; returns false if the condition does not hold.
    fn put_with(&self, name: &str, bytes: &[u8], mode: PutMode) -> io::Result<bool> {
        let path = self.path(name);
        let options = PutOptions::from(mode);
        let put = self.store.put_opts(&path, bytes.to_vec().into(), options);
        match self.runtime.block_on(put) {
            Ok(_) => Ok(true),
            Err(Error::AlreadyExists { .. } | Error::Precondition { .. }) => Ok(false),
            Err(error) => Err(to_io(error)),
        }
    }
}

impl Objects for S3 {
    fn get_versioned(&self, name: &str) -> io::Result<Option<Object>> {
        let path = self.path(name);
        let read = async {
            let found = self.store.get(&path).await?;
            let version = found.meta.e_tag.clone().unwrap_or_default();
            let bytes = found.bytes().await?.to_vec();
            Ok(Object {
                bytes,
                version: Version(version),
            })
        };
        match self.runtime.block_on(read) {
            Ok(object) => Ok(Some(object)),
            Err(Error::NotFound { .. }) => Ok(None),
            Err(error) => Err(to_io(error)),
        }
    }

    fn get_range(&self, name: &str, range: Range<u64>) -> io::Result<Option<Vec<u8>>> {
        let read = self.get_ranges(&[Part { name, range }])?;
        Ok(read.into_iter().next().flatten())
    }

    fn get_ranges(&self, wanted: &[Part<'_>]) -> io::Result<Vec<Option<Vec<u8>>>> {
        let read = |part: &Part<'_>| {
            let (path, range) = (self.path(part.name), part.range.clone());
            async move {
                match self.store.get_range(&path, range.clone()).await {
                    Ok(bytes) => Ok(Some(bytes.to_vec())),
                    Err(Error::NotFound { .. }) => Ok(None),
                    // Storage refuses ranges that begin behind the end.
                    Err(error) => match self.store.head(&path).await {
                        Ok(meta) if meta.size <= range.start => Ok(Some(Vec::new())),
                        _ => Err(to_io(error)),
                    },
                }
            }
        };
        let reads: Vec<_> = wanted.iter().map(read).collect();
        let all = futures_util::stream::iter(reads).buffered(REQUESTS_AT_ONCE);
        self.runtime.block_on(all.try_collect())
    }

    fn put(&self, name: &str, bytes: &[u8]) -> io::Result<()> {
        self.put_with(name, bytes, PutMode::Overwrite).map(|_| ())
    }

    fn put_if_absent(&self, name: &str, bytes: &[u8]) -> io::Result<bool> {
        self.put_with(name, bytes, PutMode::Create)
    }

    fn replace(&self, name: &str, bytes: &[u8], version: &Version) -> io::Result<bool> {
        let version = UpdateVersion {
            e_tag: Some(version.0.clone()),
            version: None,
        };
        self.put_with(name, bytes, PutMode::Update(version))
    }

    fn list(&self, prefix: &str) -> io::Result<Vec<Listed>> {
        let path = self.path(prefix);
        let listed = self.store.list(Some(&path)).try_collect::<Vec<_>>();
        let listed = self.runtime.block_on(listed).map_err(to_io)?;
        let mut found: Vec<Listed> = listed
            .into_iter()
            .filter_map(|meta| {
                let name = meta.location.as_ref().strip_prefix(&self.prefix)?;
                Some(Listed {
                    name: name.to_owned(),
                    bytes: meta.size,
                })
            })
            .collect();
        found.sort_by(|a, b| a.name.cmp(&b.name));
        Ok(found)
    }

    fn delete(&self, name: &str) -> io::Result<()> {
        let path = self.path(name);
        match self.runtime.block_on(self.store.delete(&path)) {
            Ok(()) | Err(Error::NotFound { .. }) => Ok(()),
            Err(error) => Err(to_io(error)),
        }
    }

    fn appender(&self, _: &str) -> io::Result<Option<Box<dyn Appender>>> {
        Ok(None)
    }
}

fn to_io(error: Error) -> io::Error {
    let kind = match error {
        Error::NotFound { .. } => io::ErrorKind::NotFound,
        Error::PermissionDenied { .. } | Error::Unauthenticated { .. } => {
            io::ErrorKind::PermissionDenied
        }
        _ => io::ErrorKind::Other,
    };
    io::Error::new(kind, error)
}
