import type { Bot, BotDoubt, BotRefusal } from '../../../model/bot.ts'
import type {
  DescribedSignature,
  FieldValue,
  MessageSignatures,
  NamedSigner,
  SignedComponent,
} from '../../../ports/signature-toolkit.ts'
import { type KeySource, keySourceOf, tapKeys } from './key-source.ts'

/** What a signature claims. Nothing of it is proven. */
export interface SignatureClaim {
  readonly protocol: 'web-bot-auth' | 'tap'
  readonly label: string
  readonly covers: readonly SignedComponent[]
  readonly source: KeySource
  readonly keyId: string
  readonly nonce: string | undefined
  /** In seconds. */
  readonly created: number
  readonly expires: number
  readonly algorithm: string | undefined
}

/** The fields of a request with a signature. */
export interface SignatureFields {
  readonly input: string
  readonly agent: string | undefined
}

export interface ReadOptions {
  readonly clockSkewSeconds: number
  readonly maxLifetimeSeconds: number
  /** The keys of the Trusted Agent Protocol; undefined when it is off. */
  readonly tapJwksUrl: string | undefined
}

const MAX_FIELD = 4_096
const MAX_LABELS = 5
const MAX_COMPONENTS = 20
const MAX_NONCE = 512
const MAX_KEY_ID = 256
const TAP_TAGS: ReadonlySet<FieldValue> = new Set(['agent-browser-auth', 'agent-payer-auth'])
const TAP_LIFETIME_SECONDS = 480
const THUMBPRINT = /^[\w-]{43}$/
const ALGORITHMS: ReadonlySet<FieldValue> = new Set(['ed25519', 'rsa-pss-sha512'])

const invalid = (reason: BotRefusal): Bot => ({ state: 'invalid', reason })
const unverified = (reason: BotDoubt): Bot => ({ state: 'unverified', reason })

const isPlain = ({ parameters }: SignedComponent) => Object.keys(parameters).length === 0
const coversPlain = ({ components }: DescribedSignature, ...names: readonly string[]) =>
  components.some((each) => names.includes(each.name) && isPlain(each))

/** The signature to check: the first one with a tag that is known here. */
const relevant = (signatures: readonly DescribedSignature[], { tapJwksUrl }: ReadOptions) =>
  signatures.find(
    ({ parameters: { tag } }) =>
      tag === 'web-bot-auth' || (tapJwksUrl !== undefined && tag !== undefined && TAP_TAGS.has(tag)),
  )

/**
 * The member of `Signature-Agent` that a signature covers: that of its label, else the only one, because an intermediary may
 * give a signature another label.
 */
function coveredSigner(
  { label, components }: DescribedSignature,
  signers: ReadonlyMap<string, NamedSigner>,
): NamedSigner | undefined {
  const keys = components.flatMap(({ name, parameters: { key, ...others } }) =>
    name === 'signature-agent' && typeof key === 'string' && Object.keys(others).length === 0 ? [key] : [],
  )
  const [only] = keys.length === 1 ? keys : []
  const key = keys.includes(label) ? label : only
  return key === undefined ? undefined : signers.get(key)
}

/** Returns where the keys of a signature are, or why it is refused. */
function sourceOf(signature: DescribedSignature, field: string, library: MessageSignatures): KeySource | Bot {
  const signers = library.readSigners(field)
  if (!signers) return invalid('malformed')
  const isDictionary = signers instanceof Map
  if (!isDictionary && !coversPlain(signature, 'signature-agent')) return invalid('component_missing')
  if (isDictionary && !signature.components.some(({ name }) => name === 'signature-agent')) {
    return invalid('component_missing')
  }
  const signer = isDictionary ? coveredSigner(signature, signers) : (signers as NamedSigner)
  const source = signer && keySourceOf(signer)
  if (source === undefined) return invalid('malformed')
  return source === 'unsupported' ? unverified('unsupported') : source
}

/** Returns why the times of a signature are refused. */
function refusedTime(
  { created, expires }: { readonly created: number; readonly expires: number },
  now: number,
  { clockSkewSeconds, maxLifetimeSeconds }: ReadOptions,
): BotRefusal | undefined {
  if (expires < created) return 'malformed'
  if (created > now + clockSkewSeconds) return 'not_yet_valid'
  if (expires <= now - clockSkewSeconds) return 'expired'
  return expires - created > maxLifetimeSeconds ? 'lifetime_too_long' : undefined
}

const isInteger = (value: FieldValue | undefined): value is number => Number.isSafeInteger(value)

/**
 * Reads the signature of a program from the fields of a request: what it claims, or the result without looking at its key. `absent` for
 * requests that are signed for another purpose.
 *
 * @param now - in seconds
 */
export function readSignature(
  { input, agent }: SignatureFields,
  now: number,
  library: MessageSignatures,
  options: ReadOptions,
): SignatureClaim | Bot {
  if (input.length > MAX_FIELD || (agent?.length ?? 0) > MAX_FIELD) return invalid('malformed')
  const signatures = library.readInputs(input)
  if (!signatures || signatures.length > MAX_LABELS) return invalid('malformed')
  const signature = relevant(signatures, options)
  if (!signature) return { state: 'absent' }
  const { label, components, parameters } = signature
  const { created, expires, keyid: keyId, nonce, alg, tag } = parameters
  if (components.length > MAX_COMPONENTS) return invalid('malformed')
  if (!isInteger(created) || !isInteger(expires) || typeof keyId !== 'string' || keyId.length > MAX_KEY_ID) {
    return invalid('malformed')
  }
  if (nonce !== undefined && (typeof nonce !== 'string' || nonce === '' || nonce.length > MAX_NONCE)) {
    return invalid('malformed')
  }
  if (alg !== undefined && !ALGORITHMS.has(alg)) return invalid('algorithm')
  const claim = { label, covers: components, keyId, nonce, created, expires, algorithm: alg as string | undefined }

  if (tag !== 'web-bot-auth') {
    const refused = refusedTime({ created, expires }, now, { ...options, maxLifetimeSeconds: TAP_LIFETIME_SECONDS })
    if (refused) return invalid(refused)
    if (nonce === undefined) return invalid('malformed')
    const isComplete = coversPlain(signature, '@authority') && coversPlain(signature, '@path')
    if (!isComplete) return invalid('component_missing')
    return { ...claim, protocol: 'tap', source: tapKeys(options.tapJwksUrl ?? '') }
  }
  if (!THUMBPRINT.test(keyId)) return invalid('malformed')
  const refused = refusedTime({ created, expires }, now, options)
  if (refused) return invalid(refused)
  if (!coversPlain(signature, '@authority', '@target-uri')) return invalid('component_missing')
  // Signature-Agent names where the keys are.
  if (agent === undefined) return unverified('unsupported')
  const source = sourceOf(signature, agent, library)
  return 'state' in source ? source : { ...claim, protocol: 'web-bot-auth', source }
}
