import type { PostgresStorage } from '@eep/adapters-postgres'
import type { EepOptions } from '@eep/core'
import { zipArchives } from '@eep/core/archives'
import { vcCredentials } from '@eep/core/credentials'
import { documentConverter, fileToolkit, sharpImages } from '@eep/core/files'
import { passkeyToolkit } from '@eep/core/passkeys'
import { receiptPdf } from '@eep/core/pdf'
import { siteScanToolkit } from '@eep/core/site-scanner'
import { webSockets } from '@eep/core/sockets'
import { payerProofOf } from './config.ts'
import { configuredBlobs, configuredScanner, configuredTranscriber } from './files.ts'
import { configuredMailer } from './mail.ts'
import { configuredMetrics } from './metrics.ts'
import { configuredBilling, configuredRails, configuredWallets } from './payments.ts'
import { configuredEmbedder } from './search.ts'
import { keptSecret, keptSigningKeys } from './secrets.ts'
import { configuredProviders } from './sign-in.ts'
import type { Values } from './variables.ts'

/**
 * Creates what the variables configure, except the storage.
 *
 * @throws ConfigurationError when variables do not match each other
 */
export async function configuredParts(values: Values, dataDir: string) {
  const secret = values.EEP_SECRET ?? (await keptSecret(dataDir))
  return {
    values,
    secret,
    signingKeys: values.EEP_SIGNING_KEY ?? (await keptSigningKeys(dataDir)),
    rails: await configuredRails(values, secret),
    billing: await configuredBilling(values),
    oauthProviders: configuredProviders(values),
    walletVerifier: await configuredWallets(values),
    embedder: configuredEmbedder(values),
    blobStore: await configuredBlobs(values, dataDir),
    transcriber: configuredTranscriber(values),
    scanner: configuredScanner(values),
    metrics: await configuredMetrics(values),
    mailer: configuredMailer(values, dataDir),
  }
}

export type ConfiguredParts = Awaited<ReturnType<typeof configuredParts>>

/** The options of the service, for the listeners and for the command line. */
export function serviceOptions(
  { values, secret, signingKeys, ...parts }: ConfiguredParts,
  { storage, publicUrl }: { readonly storage: PostgresStorage; readonly publicUrl: string },
): EepOptions {
  return {
    name: values.EEP_NAME,
    frontendUrl: values.EEP_FRONTEND_URL,
    storage,
    publicUrl,
    secret,
    signingKeys,
    passkeys: { toolkit: passkeyToolkit() },
    auth: {
      oauthProviders: parts.oauthProviders,
      walletVerifier: parts.walletVerifier,
      adminEmails: values.EEP_ADMIN_EMAILS,
    },
    payments: {
      rails: parts.rails,
      billing: parts.billing,
      receiptPdf: receiptPdf(),
      payerProof: payerProofOf(values),
    },
    archives: { format: zipArchives() },
    siteScanner: { toolkit: siteScanToolkit() },
    gates: { credentials: vcCredentials() },
    sockets: { server: webSockets() },
    search: { index: storage.search(), embedder: parts.embedder },
    files: {
      toolkit: fileToolkit(),
      blobStore: parts.blobStore,
      converter: documentConverter(),
      transcriber: parts.transcriber,
      imageProcessor: sharpImages(),
      scanner: parts.scanner,
    },
    metrics: parts.metrics,
    email: { mailer: parts.mailer },
    pages: { imprintUrl: values.EEP_IMPRINT_URL, privacyUrl: values.EEP_PRIVACY_URL },
    http: { allowPrivateHosts: values.EEP_DEV_CALLBACK_HOSTS, trustedOrigins: values.EEP_TRUSTED_ORIGINS },
    limits: {
      rateLimit: {
        multiplier: values.EEP_RATE_LIMIT_MULTIPLIER,
        // Several instances share a server, so they share the counts too.
        store: values.DATABASE_URL === undefined ? undefined : storage.rateLimits(),
      },
    },
  }
}
