import type * as Library from 'http-message-sig'
import type * as Fields from 'structured-headers'
import { assertInstalled } from '../kernel/assert-installed.ts'
import { lazy } from '../kernel/lazy.ts'
import type {
  DescribedSignature,
  FieldValue,
  MessageSignatures,
  NamedSigner,
  SignableRequest,
  SignatureResult,
  SignatureToolkit,
} from '../ports/signature-toolkit.ts'

/** Times are compared by the caller, with the clock of the service. */
const NO_TIME_LIMIT = Number.MAX_SAFE_INTEGER

/**
 * HTTP message signatures with `http-message-sig`, whose fields `structured-headers` reads.
 *
 * @throws MissingPackagesError when a package is not installed
 */
export function signatureToolkit(): SignatureToolkit {
  assertInstalled('http-message-sig', 'structured-headers')
  return {
    load: lazy(async () => createSignatures(await import('http-message-sig'), await import('structured-headers'))),
  }
}

function createSignatures(library: typeof Library, fields: typeof Fields): MessageSignatures {
  const fieldValueOf = (item: Fields.BareItem): FieldValue | undefined => {
    if (typeof item === 'string' || typeof item === 'number' || typeof item === 'boolean') return item
    return item instanceof fields.Token ? item.toString() : undefined
  }

  const valuesOf = (parameters: Fields.Parameters): Readonly<Record<string, FieldValue>> =>
    Object.fromEntries(
      [...parameters].flatMap(([name, item]) => {
        const value = fieldValueOf(item)
        return value === undefined ? [] : [[name, value]]
      }),
    )

  const signerOf = ([value, parameters]: Fields.Item): NamedSigner | undefined =>
    typeof value === 'string' ? { url: value, type: valuesOf(parameters).type } : undefined

  function describe(label: string, member: Fields.InnerList | Fields.Item): DescribedSignature | undefined {
    if (!fields.isInnerList(member)) return undefined
    const [items, parameters] = member
    const components = items.flatMap(([name, ofComponent]) =>
      typeof name === 'string' ? [{ name, parameters: valuesOf(ofComponent) }] : [],
    )
    return components.length === items.length ? { label, components, parameters: valuesOf(parameters) } : undefined
  }

  function resultOf(error: unknown): SignatureResult {
    if (!library.isSignatureError(error)) throw error
    const { code } = error
    if (code === 'VerificationFailed') return 'invalid'
    if (code === 'MissingField') return 'incomplete'
    return code === 'UnsupportedFeature' ? 'unsupported' : 'malformed'
  }

  const messageOf = (request: SignableRequest) => ({ kind: 'request', ...request }) as const

  return {
    readInputs(field) {
      const members = parsed(() => fields.parseDictionary(field))
      const described = members && [...members].map(([label, member]) => describe(label, member))
      return described?.every((one) => one !== undefined) ? described : undefined
    },

    readSigners(field) {
      if (field.trimStart().startsWith('"')) {
        const item = parsed(() => fields.parseItem(field))
        return item && signerOf(item)
      }
      const members = parsed(() => fields.parseDictionary(field))
      if (!members) return undefined
      const named = [...members].flatMap(([key, member]): [string, NamedSigner][] => {
        const signer = fields.isInnerList(member) ? undefined : signerOf(member)
        return signer ? [[key, signer]] : []
      })
      return new Map(named)
    },

    async verify(request, label, verifier) {
      try {
        await library.verifySignature(messageOf(request), {
          label,
          policy: {
            algorithms: [verifier.algorithm],
            requiredComponents: [],
            requiredParameters: [],
            clockSkew: NO_TIME_LIMIT,
          },
          resolveVerifier: () => verifier,
        })
        return 'valid'
      } catch (error) {
        return resultOf(error)
      }
    },

    sign(request, { label, components, parameters, signer }) {
      const { signature, signatureInput } = library.createSignatureSync(messageOf(request), {
        label,
        components,
        parameters,
        signer,
      })
      return { signature, 'signature-input': signatureInput }
    },
  }
}

/** The parser throws for fields that it cannot read. */
function parsed<Result>(parse: () => Result): Result | undefined {
  try {
    return parse()
  } catch {
    return undefined
  }
}
