import { sha256 } from '../../../kernel/digest.ts'
import { documentOf, frontMatter, inline, list, section, steps } from '../../../kernel/markdown.ts'
import type { Offer } from './available-routes.ts'
import type { ServiceInfo } from './manifest.ts'

/** The schema of the index (Agent Skills Discovery 0.2.0). */
const INDEX_SCHEMA = 'https://schemas.agentskills.io/discovery/0.2.0/schema.json'

/** The path of the index. */
export const SKILLS_INDEX = '/.well-known/agent-skills/index.json'

/** What an agent can do with the service. */
export interface Skill {
  /** Lowercase letters and hyphens. */
  readonly name: string
  readonly title: string
  /** What it does, and when to use it; at most 1,024 characters. */
  readonly description: string
  readonly tags: readonly string[]
  /** An example of a request that it answers. */
  readonly example: string
  /** `SKILL.md`, as it is served. */
  readonly file: Buffer
}

/** The path of the file of a skill. */
export const skillPath = (name: string): string => `/.well-known/agent-skills/${name}/SKILL.md`

type Described = Omit<Skill, 'file'>

/** Writes `SKILL.md`: front matter and instructions. */
const fileOf = ({ name, title, description }: Described, parts: readonly string[]): Buffer =>
  Buffer.from(documentOf(frontMatter({ name, description }).trimEnd(), `# ${title}`, ...parts))

const skillOf = (described: Described, ...parts: readonly string[]): Skill => ({
  ...described,
  file: fileOf(described, parts),
})

const when = (condition: boolean, ...lines: readonly string[]): readonly string[] => (condition ? lines : [])

function readSkill({ name, publicUrl }: ServiceInfo, offer: Offer): Skill {
  const described = {
    name: 'read',
    title: 'Read',
    description: `Reads profiles of ${name}, their pages and their tables of contents as Markdown, JSON or TOON. Use it to answer questions about a person, an organization or what they published.`,
    tags: ['profiles', 'read'],
    example: 'What has ada written about engines?',
  }
  return skillOf(
    described,
    ...section(
      'Steps',
      steps([
        ...when(
          offer.has('/search'),
          `Find a profile or a page: \`GET ${publicUrl}/search?q=<WORDS>&scope=all&format=json\`.`,
        ),
        `Read the profile: \`GET ${publicUrl}/{prefix}/{username}\`. It is Markdown; add \`?format=json\` for JSON.`,
        ...when(
          offer.has('/{prefix}/{username}/content'),
          `Read its contents: \`GET ${publicUrl}/{prefix}/{username}/content\`, then the pages that it lists.`,
        ),
        ...when(offer.has('/resolve'), `Find the document of a DID: \`GET ${publicUrl}/resolve?did=<DID>\`.`),
      ]),
    ),
    ...section(
      'Rules',
      list([
        'Repeat a request with `If-None-Match` and the `ETag` of the response, instead of reading again.',
        'A 402 has a price: ask your principal before you pay.',
        'On 429, wait for `Retry-After`.',
      ]),
    ),
  )
}

function paySkill({ name, publicUrl, rails }: ServiceInfo, offer: Offer): Skill {
  const described = {
    name: 'pay',
    title: 'Pay for content',
    description: `Opens pages, files and profiles of ${name} that have a price, by a payment that is sent with the request. Use it when a response has status 402 and your principal agrees to the price.`,
    tags: ['payment', 'gates'],
    example: 'Buy the notes on engines for a day.',
  }
  return skillOf(
    described,
    ...section(
      'Steps',
      steps([
        'Request the resource. The 402 has its offers in `PAYMENT-REQUIRED` and `WWW-Authenticate`, and a preview in its body.',
        'Compare amount, currency and term with what your principal allows.',
        `Pay one offer by a method that you have: ${rails.map(({ id }) => `\`${inline(id)}\``).join(', ')}.`,
        'Repeat the same request with the payment. The response has the content, and `PAYMENT-RESPONSE`.',
        'After 503 `settlement_pending`, repeat the request with the same payment; never sign another one.',
      ]),
    ),
    ...when(offer.has('/docs/payments'), `Each method, step by step: ${publicUrl}/docs/payments`),
  )
}

function receiptSkill({ name, publicUrl }: ServiceInfo): Skill {
  const described = {
    name: 'verify-receipt',
    title: 'Verify a receipt',
    description: `Checks that a receipt was issued by ${name} and was not changed. Use it before you accept a receipt as proof of a payment.`,
    tags: ['payment', 'receipts'],
    example: 'Is this receipt real?',
  }
  return skillOf(
    described,
    ...section(
      'Steps',
      steps([
        'Take `signature` of the receipt: a compact JWS (RFC 7515) with EdDSA.',
        `Fetch the public keys: \`GET ${publicUrl}/.well-known/jwks.json\`. The \`kid\` of the JWS names the key.`,
        'Verify the signature, and compare its payload with the receipt without `signature` and `refund`.',
      ]),
    ),
    ...section(
      'Rules',
      list([
        'A valid signature proves that the payment was recorded, not that it was never paid back.',
        'Receipts of your own purchases: `GET /eep/payment/receipts`, signed in.',
      ]),
    ),
  )
}

function followSkill({ name, publicUrl }: ServiceInfo, offer: Offer): Skill {
  const described = {
    name: 'follow-changes',
    title: 'Follow changes',
    description: `Learns of changes of profiles and pages of ${name} without reading them again. Use it to keep a copy current, or to wait for something new.`,
    tags: ['events', 'changes'],
    example: 'Has ada published something new?',
  }
  return skillOf(
    described,
    ...section(
      'Steps',
      list([
        ...when(
          offer.has('/{prefix}/{username}/freshness'),
          `One profile: \`GET ${publicUrl}/{prefix}/{username}/freshness\`. When its \`revision\` changes, read \`…/changelog?since=<ID>\` with the id of the last change that you know.`,
        ),
        ...when(
          offer.has('/stream/signals'),
          `All public events: \`GET ${publicUrl}/stream/signals\` (server-sent events). Resume with \`Last-Event-ID\`.`,
        ),
        ...when(offer.has('/eep/stream'), `Events that you choose: \`GET ${publicUrl}/eep/stream\`, with an API key.`),
        ...when(
          offer.has('/eep/subscribe', 'POST'),
          `Events to your URL: \`POST ${publicUrl}/eep/subscribe\`, with an API key.`,
        ),
      ]),
    ),
  )
}

/** The skills that the service has: those whose routes it offers. */
export function skillsOf(service: ServiceInfo, offer: Offer): readonly Skill[] {
  const follows = ['/{prefix}/{username}/freshness', '/stream/signals', '/eep/stream']
  const sells = service.rails.length > 0
  return [
    ...(offer.has('/{prefix}/{username}') ? [readSkill(service, offer)] : []),
    ...(sells ? [paySkill(service, offer)] : []),
    ...(sells && offer.has('/eep/payment/receipts/{receiptId}') && offer.has('/.well-known/jwks.json')
      ? [receiptSkill(service)]
      : []),
    ...(follows.some((path) => offer.has(path)) ? [followSkill(service, offer)] : []),
  ]
}

/** The index of skills. Each digest is that of the bytes which are served. */
export const skillsIndex = (publicUrl: string, skills: readonly Skill[]) => ({
  $schema: INDEX_SCHEMA,
  skills: skills.map(({ name, description, file }) => ({
    name,
    type: 'skill-md',
    description,
    url: publicUrl + skillPath(name),
    digest: `sha256:${sha256(file)}`,
  })),
})
