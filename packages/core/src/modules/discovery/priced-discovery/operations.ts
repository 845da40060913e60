import type { JsonObject } from '../../../kernel/json.ts'
import { truncateLine } from '../../../kernel/truncate.ts'
import type { PricedResource } from './collect-resources.ts'
import { type PaymentInfo, paymentInfo, perOf, templateInfo } from './payment-info.ts'

/** An operation of a document, and the path that it belongs to. */
export interface Operation {
  readonly path: string
  readonly operation: JsonObject
}

const MAX_SUMMARY = 200

/** Where a 402 has its offers. */
const CHALLENGES = [
  ['PAYMENT-REQUIRED', 'PaymentRequired of x402 v2, JSON in base64'],
  ['WWW-Authenticate', 'One challenge for each way to pay'],
] as const

/** The representations of profiles and pages. */
const REPRESENTATIONS: JsonObject = {
  'text/markdown': { schema: { type: 'string' } },
  'application/json': { schema: { type: 'object' } },
  'application/toon': { schema: { type: 'string' } },
}

/** What operations share, by name. */
export const COMPONENTS: JsonObject = {
  parameters: {
    format: {
      name: 'format',
      in: 'query',
      description: 'The representation; Markdown without it.',
      required: false,
      schema: { type: 'string', enum: ['markdown', 'json', 'toon'] },
      example: 'json',
    },
  },
  responses: {
    page: {
      description: 'The page, after its payment',
      content: REPRESENTATIONS,
    },
    profile: {
      description: 'The profile with the field, after its payment',
      content: REPRESENTATIONS,
    },
    file: { description: 'The bytes of the file, after its payment', content: { '*/*': { schema: {} } } },
    json: {
      description: 'The response of the endpoint, after its payment',
      content: { 'application/json': { schema: {} } },
    },
    payment_required: {
      description:
        'Payment required. PAYMENT-REQUIRED has the offers of x402, WWW-Authenticate the challenges of the scheme Payment; both are authoritative. Pay, and repeat the request with the payment.',
      headers: Object.fromEntries(
        CHALLENGES.map(([name, description]) => [name, { description, schema: { type: 'string' } }]),
      ),
      content: { 'application/json': { schema: { type: 'object' } } },
    },
  },
}

const FORMAT = { $ref: '#/components/parameters/format' }
const REQUIRED = { $ref: '#/components/responses/payment_required' }
const RESPONSE = { page: 'page', file: 'file', endpoint: 'json', tool: 'json', field: 'profile' } as const

const operationOf = (
  kind: PricedResource['kind'],
  facts: { readonly operationId: string; readonly summary: string; readonly parameters: readonly JsonObject[] },
  info: PaymentInfo,
  extensions: JsonObject,
): JsonObject => ({
  operationId: facts.operationId,
  summary: truncateLine(facts.summary, MAX_SUMMARY),
  ...(facts.parameters.length > 0 && { parameters: facts.parameters }),
  security: [],
  'x-payment-info': info,
  responses: { 200: { $ref: `#/components/responses/${RESPONSE[kind]}` }, 402: REQUIRED },
  ...extensions,
})

/** The parameters of an endpoint, with the examples that clients try it with. */
const parametersOf = ({ listing }: PricedResource): readonly JsonObject[] =>
  (listing?.parameters ?? []).map(({ name, in: place, description, required, schema, example }) => ({
    name,
    in: place,
    ...(description !== undefined && { description }),
    required: place === 'path' || (required ?? false),
    schema: schema ?? { type: 'string' },
    ...(example !== undefined && { example }),
  }))

const braced = (path: string): string => path.replaceAll(/:([A-Za-z_]\w*)/g, '{$1}')

/**
 * The operation that reads a priced resource.
 *
 * @param prefix - what its path begins with, and is left out: the path of the server of the document
 */
export function pricedOperation(resource: PricedResource, prefix = ''): Operation {
  const { kind, id, name, path, title, quote } = resource
  const parameters = kind === 'page' ? [FORMAT] : parametersOf(resource)
  const facts = { operationId: `buy_${id}`, summary: title.trim() === '' ? name : title, parameters }
  return {
    path: braced(path).slice(prefix.length),
    operation: operationOf(kind, facts, paymentInfo(quote), {
      'x-eep-resource': name,
      'x-eep-per': perOf(quote),
    }),
  }
}

/** The most segments below `/content` in a template. */
export const MAX_DEPTH = 4

/**
 * The operation for all pages of one depth, which stands for those that the document does not list.
 *
 * @param pages - priced pages of this depth; the first one is the example
 */
export function templateOperation(depth: number, pages: readonly [PricedResource, ...PricedResource[]]): Operation {
  const [example, ...others] = pages
  const [, prefix = '', username = '', , ...slugs] = example.path.split('/')
  const names = [
    'prefix',
    'username',
    ...slugs.map((_, index) => (index === depth - 1 ? 'slug' : `category_${index + 1}`)),
  ]
  const values = [prefix, username, ...slugs]
  const parameters = names.map((name, index) => ({
    name,
    in: 'path',
    required: true,
    schema: { type: 'string' },
    example: values[index] ?? '',
  }))
  const [, , ...below] = names
  const path = `/{prefix}/{username}/content/${below.map((name) => `{${name}}`).join('/')}`
  const facts = {
    operationId: `buy_page_at_depth_${depth}`,
    summary: 'Read a page of a profile',
    parameters: [...parameters, FORMAT],
  }
  const info = templateInfo([example.quote, ...others.map(({ quote }) => quote)])
  return { path, operation: operationOf('page', facts, info, {}) }
}

/**
 * The operation that reads the fields of a profile that are for sale, by its query: one for all of them, as they have one path.
 *
 * @param fields - those of one profile; the first one is the example
 */
export function fieldsOperation(fields: readonly [PricedResource, ...PricedResource[]]): Operation {
  const [example, ...others] = fields
  const names = fields.map(({ path }) => new URLSearchParams(path.split('?')[1]).get('fields') ?? '')
  const parameter = {
    name: 'fields',
    in: 'query',
    description: 'The field to read',
    required: true,
    schema: { type: 'string', enum: names },
    example: names[0] ?? '',
  }
  const facts = {
    operationId: 'buy_fields',
    summary: `Read ${names.join(', ')} of ${example.profile.fullName ?? example.profile.username}`,
    parameters: [parameter, FORMAT],
  }
  const info =
    others.length === 0
      ? paymentInfo(example.quote)
      : templateInfo([example.quote, ...others.map(({ quote }) => quote)])
  return { path: '/', operation: operationOf('field', facts, info, { 'x-eep-per': perOf(example.quote) }) }
}
