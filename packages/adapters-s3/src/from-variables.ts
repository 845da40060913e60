/** How hosts store files in a bucket, as variables configure it. */

import { baseUrl, belongTogether, defineHostAdapter, needs, openVariable, secretVariable, word } from '@eep/core/host'

/**
 * Files of a host in the bucket `S3_BUCKET`. Without it, they stay in the data directory.
 *
 * @see https://github.com/eep-service/eep/blob/main/docs/operate/hosts.md
 * @example
 * await runHost({ adapters: [postgres, s3], options })
 */
export const fromVariables = defineHostAdapter({
  name: '@eep/adapters-s3',
  prefixes: ['S3_'],
  variables: {
    S3_BUCKET: openVariable(
      word,
      'the bucket for files; leave it out to keep them in the data directory',
      'eep-files',
      {
        comment:
          'Files. Without S3_BUCKET, they are stored in the data directory. Without S3_ENDPOINT, the bucket is on AWS.',
      },
    ),
    S3_ENDPOINT: openVariable(
      baseUrl,
      'the address of an S3-compatible store; leave it out for AWS',
      'http://127.0.0.1:9000',
    ),
    S3_REGION: openVariable(word, 'for example eu-central-1; us-east-1 is the default', 'us-east-1'),
    S3_ACCESS_KEY_ID: openVariable(
      word,
      'the access key of an identity that may use the bucket; leave it out to use the identity of the machine',
    ),
    S3_SECRET_ACCESS_KEY: secretVariable(word, 'the secret of that access key'),
  },
  rules: [
    ...belongTogether('S3_ACCESS_KEY_ID', 'S3_SECRET_ACCESS_KEY'),
    ...['S3_ENDPOINT', 'S3_REGION', 'S3_ACCESS_KEY_ID'].map((name) => needs(name, 'S3_BUCKET')),
  ],
  warnings: [
    {
      when: ({ production, has }) => production && !has('S3_BUCKET'),
      problem: () =>
        'S3_BUCKET is not set, so uploads are stored in the directory files of EEP_DATA_DIR: keep it on a volume and back it up',
    },
  ],
  async parts({ S3_BUCKET: bucket, S3_ENDPOINT: endpoint, S3_REGION: region, ...keys }) {
    if (bucket === undefined) return undefined
    const { S3_ACCESS_KEY_ID: accessKeyId, S3_SECRET_ACCESS_KEY: secretAccessKey } = keys
    // Imported when needed: the S3 library takes about 25 MB of memory.
    const { s3Blobs } = await import('./index.ts')
    const credentials =
      accessKeyId !== undefined && secretAccessKey !== undefined ? { accessKeyId, secretAccessKey } : undefined
    return { blobStore: s3Blobs({ bucket, prefix: 'files/', endpoint, region, ...(credentials && { credentials }) }) }
  },
})
