import { fromVariables as postgres } from '@eep/adapters-postgres/host'
import { fromVariables as s3 } from '@eep/adapters-s3/host'
import { vcCredentials } from '@eep/core/credentials'
import { everything } from '@eep/core/everything'
import { shareCards, sharpImages } from '@eep/core/files'
import { documentConverter } from '@eep/core/files/text'
import type { HostDefinition } from '@eep/core/host'
import { receiptPdf } from '@eep/core/pdf'
import { fromVariables as card } from '@eep/payments-card/host'
import { fromVariables as x402 } from '@eep/payments-x402/host'
import { DEMO_OWNER, DEMO_PATHS, seedDemo, thingsToTry } from './seed.ts'

/** This host: the packages that variables configure, and what its service can do. */
export const host: HostDefinition = {
  // Rails are offered in this order.
  adapters: [postgres, s3, x402, card],
  modules: ({ oauthProviders, billing, index, embedder, blobStore, scanner, transcriber, ...others }) =>
    everything({
      oauth: { providers: oauthProviders },
      subscriptions: { billing },
      search: { index, embedder },
      files: { blobStore, scanner, imageProcessor: sharpImages() },
      media: { transcriber },
      webBotAuth: others.webBotAuth,
      mcp: others.mcp,
      oauthServer: others.oauthServer,
      pricedDiscovery: others.pricedDiscovery,
      textExtraction: { converter: documentConverter() },
    }),
  options: () => ({
    payments: { receiptPdf: receiptPdf() },
    pages: { shareCards: shareCards() },
    gates: { credentialVerifier: vcCredentials() },
  }),
  demo: { owner: DEMO_OWNER, page: DEMO_PATHS.gated, seed: seedDemo, hints: thingsToTry },
}
