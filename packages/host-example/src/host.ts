import { fromVariables as postgres } from '@eep/adapters-postgres/host'
import { fromVariables as s3 } from '@eep/adapters-s3/host'
import { zipArchives } from '@eep/core/archives'
import { vcCredentials } from '@eep/core/credentials'
import { documentConverter, fileToolkit, sharpImages } from '@eep/core/files'
import type { HostDefinition } from '@eep/core/host'
import { passkeyToolkit } from '@eep/core/passkeys'
import { receiptPdf } from '@eep/core/pdf'
import { siteScanToolkit } from '@eep/core/site-scanner'
import { webSockets } from '@eep/core/sockets'
import { fromVariables as card } from '@eep/payments-card/host'
import { fromVariables as x402 } from '@eep/payments-x402/host'
import { seedDemo, thingsToTry } from './seed.ts'

/** This host: the packages that variables configure, and what its service can do. */
export const host: HostDefinition = {
  // Rails are offered in this order.
  adapters: [postgres, s3, x402, card],
  options: ({ blobStore, scanner, transcriber }) => ({
    passkeys: { toolkit: passkeyToolkit() },
    payments: { receiptPdf: receiptPdf() },
    archives: { format: zipArchives() },
    siteScanner: { toolkit: siteScanToolkit() },
    gates: { credentials: vcCredentials() },
    sockets: { server: webSockets() },
    files: {
      toolkit: fileToolkit(),
      blobStore,
      converter: documentConverter(),
      transcriber,
      imageProcessor: sharpImages(),
      scanner,
    },
  }),
  demo: { seed: seedDemo, hints: thingsToTry },
}
