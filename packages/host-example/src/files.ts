import { join } from 'node:path'
import { clamdScanner, directoryBlobs, httpTranscriber } from '@eep/core/files'
import type { BlobStore, Scanner, Transcriber } from '@eep/core/ports'
import type { Values } from './variables.ts'

/** Blobs in the configured bucket, otherwise in the data directory. */
export async function configuredBlobs(values: Values, dataDir: string): Promise<BlobStore> {
  const { S3_BUCKET: bucket, S3_ENDPOINT: endpoint, S3_REGION: region } = values
  if (bucket === undefined) return directoryBlobs({ directory: join(dataDir, 'files') })
  const { S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = values
  // Imported when needed: the S3 library takes about 25 MB of memory.
  const { s3Blobs } = await import('@eep/adapters-s3')
  return s3Blobs({
    bucket,
    prefix: 'files/',
    endpoint,
    region,
    ...(accessKeyId !== undefined &&
      secretAccessKey !== undefined && { credentials: { accessKeyId, secretAccessKey } }),
  })
}

/** The configured clamd. Otherwise nothing is scanned. */
export function configuredScanner({ CLAMD_HOST, CLAMD_PORT, CLAMD_SOCKET }: Values): Scanner | undefined {
  if (CLAMD_SOCKET !== undefined) return clamdScanner({ socketPath: CLAMD_SOCKET })
  return CLAMD_HOST === undefined ? undefined : clamdScanner({ host: CLAMD_HOST, port: CLAMD_PORT })
}

/** The configured speech service. Otherwise nothing is transcribed. */
export function configuredTranscriber(values: Values): Transcriber | undefined {
  const { TRANSCRIBER_URL: url, TRANSCRIBER_API_KEY: apiKey, TRANSCRIBER_MODEL: model } = values
  return url === undefined ? undefined : httpTranscriber({ url, apiKey, model })
}
