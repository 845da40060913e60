import { S3Client } from '@aws-sdk/client-s3'

/** Access to the bucket: a client, or the options to create one. */
export interface S3Access {
  /** Your own client. The store does not close it. */
  readonly client?: S3Client | undefined
  /** Default: `us-east-1`. Most other stores accept any region. */
  readonly region?: string | undefined
  /** The endpoint of a store other than AWS, such as `http://minio:9000`. */
  readonly endpoint?: string | undefined
  /** Default: those that the SDK finds in the environment, the profile or the role of the machine. */
  readonly credentials?:
    | { readonly accessKeyId: string; readonly secretAccessKey: string; readonly sessionToken?: string | undefined }
    | undefined
  /** Whether the bucket is in the path instead of the host name. Default: true with an `endpoint`. */
  readonly forcePathStyle?: boolean | undefined
}

// Downloads have no time limit, because they last as long as their readers take.
const CONNECT_MS = 5_000
const ANSWER_MS = 120_000
// Each reader holds a connection, so the SDK's limit of 50 would block others.
const CONNECTIONS = 1_000

/** Creates a client with timeouts and with settings that stores other than AWS support. */
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
    // Other stores may store the checksum of the SDK as a part of the blob.
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
