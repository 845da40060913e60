import { S3Client } from '@aws-sdk/client-s3'

/** Where the bucket is and who asks: either a client, or what one is made of. */
export interface S3Access {
  /** A client of yours; it is not closed. */
  readonly client?: S3Client | undefined
  /** Default: `us-east-1`; most other stores accept any. */
  readonly region?: string | undefined
  /** Of a store that is not AWS: `http://minio:9000`. */
  readonly endpoint?: string | undefined
  /** Default: the SDK looks for them: environment, profile, role of the machine. */
  readonly credentials?:
    | { readonly accessKeyId: string; readonly secretAccessKey: string; readonly sessionToken?: string | undefined }
    | undefined
  /** The bucket in the path instead of the host name. Default: true with an `endpoint`. */
  readonly forcePathStyle?: boolean | undefined
}

// A download lasts as long as its reader takes; what comes before it does not.
const CONNECT_MS = 5_000
const ANSWER_MS = 120_000
// Each reader holds a connection, and the 50 of the SDK would make the others wait.
const CONNECTIONS = 1_000

/** A client with limits of time, and with what stores that are not AWS can do. */
export function clientOf(access: S3Access): S3Client {
  const { region = 'us-east-1', endpoint, credentials, forcePathStyle = endpoint !== undefined } = access
  return new S3Client({
    region,
    forcePathStyle,
    ...(credentials && {
      credentials: {
        accessKeyId: credentials.accessKeyId,
        secretAccessKey: credentials.secretAccessKey,
        ...(credentials.sessionToken !== undefined && { sessionToken: credentials.sessionToken }),
      },
    }),
    // Others than AWS may keep the checksum of the SDK as a part of the blob.
    ...(endpoint !== undefined && {
      endpoint,
      requestChecksumCalculation: 'WHEN_REQUIRED',
      responseChecksumValidation: 'WHEN_REQUIRED',
    }),
    requestHandler: {
      connectionTimeout: CONNECT_MS,
      requestTimeout: ANSWER_MS,
      throwOnRequestTimeout: true,
      socketTimeout: 0,
      httpAgent: { keepAlive: true, maxSockets: CONNECTIONS },
      httpsAgent: { keepAlive: true, maxSockets: CONNECTIONS },
    },
  })
}
