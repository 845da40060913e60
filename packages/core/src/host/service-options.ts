import type { EepOptions } from '../framework/eep.ts'
import type { Module } from '../framework/module/define-module.ts'
import type { SigningJwk } from '../kernel/keyring.ts'
import type { RateLimitStore } from '../ports/rate-limit-store.ts'
import type { SearchIndex } from '../ports/search-index.ts'
import type { OptionalGroup, Storage } from '../ports/storage/storage.ts'
import type { Configuration } from './configuration.ts'
import { ConfigurationError } from './configuration-error.ts'
import { assertNoFormerData } from './former-data.ts'
import type { HostStorage } from './host-database.ts'
import type { HostDefinition } from './host-definition.ts'
import { type MadeParts, makeParts, makeSandboxParts } from './make-parts.ts'
import { keptSecret, keptSigningKeys } from './secrets.ts'

/** What the variables configure, with what a first start generates. */
export interface ConfiguredService {
  readonly host: HostDefinition
  readonly configuration: Configuration
  readonly secret: readonly string[]
  readonly signingKeys: readonly SigningJwk[]
  readonly parts: MadeParts
  /** The feature of a sandbox, and the key of its pages. Undefined for other hosts, and before the database is open. */
  readonly sandbox?: { readonly key: string; readonly module: Module } | undefined
}

/** The administrator of a sandbox whose variables name none. */
const SANDBOX_ADMIN = 'admin@example.com'

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

/**
 * Adds what a sandbox has: its parts, which need the open database, and its feature with a new key. Returns the service of other hosts
 * unchanged.
 *
 * @throws ConfigurationError when the database cannot store play money
 */
export async function withSandbox(service: ConfiguredService, storage: HostStorage): Promise<ConfiguredService> {
  const { host, configuration, secret, parts } = service
  if (!configuration.isSandbox) return service
  if (!storage.groups.includes('sandbox')) {
    throw new ConfigurationError([
      'The database of this host stores no play money: its storage has no group "sandbox". Set EEP_SANDBOX to off',
    ])
  }
  const { newSandboxKey, sandbox } = await import('../modules/trade/sandbox/index.ts')
  const made = await makeSandboxParts(host, configuration, { storage, secrets: secret, parts })
  const { testWallet: wallet, ...others } = made
  const replaced = Object.fromEntries(Object.entries(others).filter(([, part]) => part !== undefined))
  const key = newSandboxKey()
  return {
    ...service,
    parts: { ...parts, ...replaced },
    sandbox: {
      key,
      module: sandbox({ key, owner: host.demo?.owner, mailbox: configuration.values.SMTP_URL === undefined, wallet }),
    },
  }
}

/** The options of the service, for the listeners and for the command line. */
export function serviceOptions(
  { host, configuration, secret, signingKeys, parts, sandbox }: ConfiguredService,
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
      adminEmails: service.EEP_ADMIN_EMAILS ?? (sandbox ? [SANDBOX_ADMIN] : undefined),
    },
    payments: {
      rails: parts.rails,
      payerProof: configuration.payerProof,
      crawlerHeaders: service.EEP_CRAWLER_HEADERS,
    },
    discovery: parts.discovery,
    modules: [...(host.modules?.({ ...parts, index }) ?? []), ...(sandbox ? [sandbox.module] : [])],
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
