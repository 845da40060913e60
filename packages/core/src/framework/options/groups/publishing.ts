import { z } from 'zod'
import { PROFILE_TYPES } from '../../../model/profile-type.ts'
import type { DocsUi } from '../../../ports/docs-ui.ts'
import { type Group, group, pageUrl } from '../fields.ts'

const versions = z.int().min(1).max(10_000)

export const content = {
  /**
   * Automatic saves (`autosave: true`) by one author within this time form one version of a page; 0 stores each as a version.
   * @default 300
   */
  autosaveIntervalSeconds: z.int().min(0).max(86_400).default(300),
  /**
   * Versions of a page that are kept, including the current one.
   * @default 200
   */
  maxVersions: versions.default(200),
  /**
   * `block`: pages load only images of this service, and other images in texts become links, because loading an image
   * reveals the reader's address. `allow`: images of other origins are loaded over https.
   * @default "block"
   */
  remoteImages: z.enum(['block', 'allow']).default('block'),
}

export const profiles = {
  /**
   * Additional members of `type_data` by profile type: `{ product: z.object({ … }) }`. They are validated, published in the
   * JSON Schema of the type, and optional. See docs/concepts/profiles.md.
   */
  typeData: z
    .partialRecord(
      z.enum(PROFILE_TYPES),
      z
        .custom<z.core.$ZodObject>((value) => (value as z.core.$ZodType | undefined)?._zod?.def.type === 'object', {
          error: 'Must be an object schema of zod 4',
        })
        .optional(),
    )
    .default({}),
  /**
   * Profiles are private until their owner verifies the email address of the account. Then they become public, unless the owner
   * chose otherwise. Requires `email.mailer`, providers of the feature `oauth` or `auth.hostAuth`, which verify addresses. See
   * docs/concepts/profiles.md.
   * @default false
   */
  publicAfterVerification: z.boolean().default(false),
}

const contentSignal = {
  /**
   * Crawlers may index the content for search.
   * @default true
   */
  search: z.boolean().default(true),
  /**
   * Crawlers may use the content as input of generated answers.
   * @default true
   */
  aiInput: z.boolean().default(true),
  /**
   * Crawlers may train models on the content.
   * @default false
   */
  aiTrain: z.boolean().default(false),
}

const crawlers = {
  /** The `Content-Signal` of `robots.txt`. */
  contentSignal: group(contentSignal) as Group<typeof contentSignal>,
  /** Crawlers that `robots.txt` disallows, by user agent: `['CCBot']`. */
  disallow: z
    .array(z.string().regex(/^[A-Za-z][A-Za-z0-9_-]{0,63}$/, 'Must be the name of a crawler, such as CCBot'))
    .max(100)
    .readonly()
    .default([]),
}

const names = z.array(z.string().min(1).max(128)).max(100).readonly()

const registry = z.strictObject({
  /** The name of the registry. */
  name: z.string().min(1).max(128),
  /** What it lists. */
  scope: z.strictObject({
    geography: names.optional(),
    sectors: names.optional(),
    capabilities: names.optional(),
  }),
  /** The conformance that its entries need. */
  conformanceTierRequired: z.enum(['Core', 'Standard', 'Full']),
  /** The URL of the credential of the federation. */
  federationCredentialUrl: pageUrl,
  /** The URL of the registry. */
  registryUrl: pageUrl.optional(),
  /** The URL that resolves entries of other registries. */
  crossRegistryResolutionUrl: pageUrl.optional(),
})

export const discovery = {
  /**
   * The registry that this service operates, in `/.well-known/eep-registry.json`.
   * @default none
   */
  registry: registry.optional(),
  /** Why personal data is processed, in agent cards: a purpose of the Data Privacy Vocabulary. Default: not stated. */
  dpvPurpose: z
    .string()
    .regex(/^dpv:[A-Z][a-zA-Z]+$/, 'Must be a purpose such as dpv:ServiceProvision')
    .optional(),
  /** How long personal data is kept, in agent cards: `P30D`. Default: not stated. */
  dpvRetention: z.string().min(1).max(64).optional(),
  /**
   * Serves the index of agent skills at `/.well-known/agent-skills/index.json`, and their files.
   * @default true
   */
  skills: z.boolean().default(true),
  /**
   * Serves what the service has for agents at `/.well-known/ai-catalog.json`, as an AI Catalog 0.9.
   * @default false
   */
  aiCatalog: z.boolean().default(false),
  /**
   * Serves the terms of what is sold as RSL 1.0, at `/license.xml` and `/{prefix}/{username}/license.xml`, while something is. Needs the
   * feature `pricedDiscovery`.
   * @default false
   */
  rsl: z.boolean().default(false),
  /**
   * Describes the search and buy forms of pages to agents in browsers, with the attributes of WebMCP, a draft.
   * @default false
   */
  webMcp: z.boolean().default(false),
  /**
   * Answers questions of agents with lists of public search results at `/ask`, as NLWeb does in its mode `list`. Needs the feature
   * `search`.
   * @default false
   */
  ask: z.boolean().default(false),
  /**
   * Serves the registrations that owners of profiles of the type `agent` state in `type_data.registrations`, at
   * `/agent/{username}/agent-registration.json` (ERC-8004), and at `/.well-known/agent-registration.json` while the service has one public
   * agent only. Needs the feature `pricedDiscovery`.
   * @default false
   */
  agentRegistration: z.boolean().default(false),
  /**
   * Serves `/`, `/favicon.ico`, `/robots.txt`, `/sitemap.xml` with its parts, and `/llms.txt`. `false` leaves them to the
   * host.
   * @default true
   */
  rootFiles: z.boolean().default(true),
  /** An interface that replaces the page of the API reference at `/docs`. Default: the page of the service. */
  docsUi: z
    .custom<DocsUi>((value) => typeof (value as DocsUi | undefined)?.files === 'object', { error: 'Needs files' })
    .optional(),
  /** The content of `robots.txt`. */
  crawlers: group(crawlers) as Group<typeof crawlers>,
}
