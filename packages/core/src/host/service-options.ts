import type { EepOptions } from '../framework/eep.ts'
import type { SigningJwk } from '../kernel/keyring.ts'
import type { RateLimitStore } from '../ports/rate-limit-store.ts'
import type { SearchIndex } from '../ports/search-index.ts'
import type { OptionalGroup, Storage } from '../ports/storage/storage.ts'
import type { Configuration } from './configuration.ts'
import { assertNoFormerData } from './former-data.ts'
import type { HostDefinition } from './host-definition.ts'
import { type MadeParts, makeParts } from './make-parts.ts'
import { keptSecret, keptSigningKeys } from './secrets.ts'

/** What the variables configure, with what a first start generates. */
export interface ConfiguredService {
  readonly host: HostDefinition
  readonly configuration: Configuration
  readonly secret: readonly string[]
  readonly signingKeys: readonly SigningJwk[]
  readonly parts: MadeParts
}

/** What the options need that is known once the database and the address are. */
export interface ServicePlace {
  readonly storage: Storage<OptionalGroup>
  readonly publicUrl: string
  readonly index?: SearchIndex | undefined
  /** Where several instances count requests together. Default: each counts its own. */
  readonly rateLimits?: RateLimitStore | undefined
}

/**
 * Creates what the variables configure, except the database, and generates missing secrets.
 *
 * @throws ConfigurationError when variables do not fit each other
 */
export async function configureService(host: HostDefinition, configuration: Configuration): Promise<ConfiguredService> {
  const { service, dataDir } = configuration
  assertNoFormerData(configuration)
  const secret = service.EEP_SECRET ?? (await keptSecret(dataDir))
  const signingKeys = service.EEP_SIGNING_KEY ?? (await keptSigningKeys(dataDir))
  return { host, configuration, secret, signingKeys, parts: await makeParts(host, configuration, secret) }
}

/** The options of the service, for the listeners and for the command line. */
export function serviceOptions(
  { host, configuration, secret, signingKeys, parts }: ConfiguredService,
  { storage, publicUrl, index, rateLimits }: ServicePlace,
): EepOptions {
  const { service } = configuration
  const options: EepOptions = {
    name: service.EEP_NAME,
    description: service.EEP_DESCRIPTION,
    frontendUrl: service.EEP_FRONTEND_URL,
    storage,
    publicUrl,
    secret,
    signingKeys,
    auth: {
      walletVerifier: parts.walletVerifier,
      adminEmails: service.EEP_ADMIN_EMAILS,
    },
    payments: { rails: parts.rails, payerProof: configuration.payerProof },
    modules: host.modules?.({ ...parts, index }),
    metrics: parts.metrics && { registry: parts.metrics.registry, token: parts.metrics.token },
    email: { mailer: parts.mailer },
    pages: {
      accent: service.EEP_ACCENT,
      logoFile: service.EEP_LOGO,
      imprintUrl: service.EEP_IMPRINT_URL,
      privacyUrl: service.EEP_PRIVACY_URL,
    },
    http: { allowPrivateHosts: service.EEP_DEV_CALLBACK_HOSTS, trustedOrigins: service.EEP_TRUSTED_ORIGINS },
    limits: { rateLimit: { multiplier: service.EEP_RATE_LIMIT_MULTIPLIER, store: rateLimits } },
  }
  return join(options, host.options?.(parts) ?? {})
}

const isGroup = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype

/** Joins groups of options, of which the later win. */
function join(options: EepOptions, further: Partial<EepOptions>): EepOptions {
  const result: Record<string, unknown> = { ...options }
  for (const [name, value] of Object.entries(further)) {
    const earlier = result[name]
    result[name] = isGroup(earlier) && isGroup(value) ? { ...earlier, ...value } : value
  }
  // Each member comes from one of the two.
  return result as unknown as EepOptions
}
