import { s3Blobs } from '@eep/adapters-s3'

const { S3_ENDPOINT, S3_REGION, S3_BUCKET = '', S3_ACCESS_KEY_ID = '', S3_SECRET_ACCESS_KEY = '' } = process.env

/** Default: AWS, without an endpoint. */
export const bucket = s3Blobs({
  endpoint: S3_ENDPOINT,
  region: S3_REGION,
  bucket: S3_BUCKET,
  prefix: 'files/',
  credentials: { accessKeyId: S3_ACCESS_KEY_ID, secretAccessKey: S3_SECRET_ACCESS_KEY },
})
