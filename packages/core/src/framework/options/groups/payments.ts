import { z } from 'zod'
import type { ClassifyReader } from '../../../ports/classify-reader.ts'
import type { CredentialVerifier } from '../../../ports/credential-verifier.ts'
import type { PaymentRail } from '../../../ports/payment-rail.ts'
import type { ReceiptRenderer } from '../../../ports/receipt-renderer.ts'
import type { RequirementVerifier } from '../../../ports/requirement-verifier.ts'
import { callback, distinct, port } from '../fields.ts'

const versions = z.int().min(1).max(10_000)

export const payments = {
  /**
   * Payment rails, in the order in which a 402 lists their offers. Two rails must not accept the same asset on the same
   * network. See docs/concepts/payments.md.
   */
  rails: distinct(
    port<PaymentRail>('offer', 'read', 'matches', 'verify', 'settle', 'recover'),
    ({ id }) => id,
    'Two rails have the same id',
  )
    // One payment would be a credential of both, and core keeps credentials from being spent twice by rail.
    .refine((rails) => acceptDistinctAssets(rails), 'Two rails accept the same asset on the same network')
    .readonly()
    .default([]),
  /**
   * `lookup`: the address of a payer is enough to access its purchases. `signed`: the cookie that this service signed is
   * required. When it is not set and there are rails, a warning is logged at the start.
   * @default "lookup"
   */
  payerProof: z.enum(['lookup', 'signed']).optional(),
  /**
   * Which challenge of a 402 comes first in `WWW-Authenticate`; some clients read only one.
   * @default "eep-first"
   */
  challengeOrder: z.enum(['eep-first', 'payment-first']).default('eep-first'),
  /**
   * Signs each offer of a 402 (x402 `offer-receipt`), which adds about 0.8 KB to its header. Receipts are always signed.
   * @default false
   */
  signedOffers: z.boolean().default(false),
  /**
   * Whether the headers of "pay per crawl" are sent and read: `crawler-price` of each 402, limits of a payment, and `crawler-charged`.
   * @default true
   */
  crawlerHeaders: z.boolean().default(true),
  /**
   * How long a process may take to settle a payment before another one recovers its outcome.
   * @default 30000
   */
  settlementLeaseMs: z.int().min(100).default(30_000),
  /**
   * The URL of the payment guide for agents: the `docs_url` of a 402. A path is relative to `publicUrl`.
   * @default "/docs/payments"
   */
  docsUrl: z.string().max(512).default('/docs/payments'),
  /** Renders receipts as PDF: `receiptPdf()` of `@eep/core/pdf`. Without one, its routes return 503 `receipt_pdf_disabled`. */
  receiptPdf: port<ReceiptRenderer>('render').optional(),
}

export const gates = {
  /**
   * Verifies credentials for the requirements `credential` and `data_request`: `vcCredentials()` of `@eep/core/credentials`.
   * Without one, these requirements are never met.
   */
  credentialVerifier: port<CredentialVerifier>('verifyCredential', 'verifyPresentation').optional(),
  /**
   * Versions of a gate configuration that are kept, including the current one.
   * @default 100
   */
  maxVersions: versions.default(100),
  /**
   * Verifiers of gate requirements by type: `x-…` types of the host, or types of EEP whose verifier the host replaces. A
   * requirement without a verifier is never met. See docs/concepts/agents.md.
   */
  requirementVerifiers: z
    .record(z.string().regex(/^(x-[a-z][a-z0-9_-]*|[a-z_]+)$/), callback<RequirementVerifier>())
    .default({}),
}

export const audiences = {
  /**
   * Classifies readers by what the host knows, for gates with `x-audience`: an edge that scores or verifies programs. Returns
   * `{ person: true }`, `{ bot: { origin } }` or nothing. See docs/guides/audiences.md.
   */
  classify: callback<ClassifyReader>().optional(),
}

function acceptDistinctAssets(rails: readonly PaymentRail[]): boolean {
  const assets = rails.flatMap(
    ({ info }) => info?.accepts.map(({ network, asset }) => `${network} ${asset}`.toLowerCase()) ?? [],
  )
  return new Set(assets).size === assets.length
}
