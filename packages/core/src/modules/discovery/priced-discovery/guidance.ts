/** What the guidance can mention, by whether the service has it. */
export interface GuidanceFacts {
  readonly name: string
  readonly publicUrl: string
  readonly docsUrl: string
  readonly hasSearch: boolean
  readonly hasCatalogue: boolean
  readonly protocols: readonly ('x402' | 'mpp')[]
}

const HOW_TO_PAY = {
  x402: 'x402: decode PAYMENT-REQUIRED (JSON in base64), sign one entry of accepts, and repeat the request with PAYMENT-SIGNATURE. The response has PAYMENT-RESPONSE.',
  mpp: 'Payment (MPP): answer one challenge of WWW-Authenticate: Payment, and repeat the request with Authorization: Payment. The response has Payment-Receipt.',
} as const

/** `info.x-guidance`: how to search, read, pay and check receipts. At most some 1,500 characters. */
export function guidanceText({ name, publicUrl, docsUrl, hasSearch, hasCatalogue, protocols }: GuidanceFacts): string {
  return [
    `${name} publishes profiles and their pages. Everything is readable without an account unless it has a price.`,
    hasSearch
      ? `Search: GET ${publicUrl}/search?q=words. Lists: ${publicUrl}/llms.txt.`
      : `Lists of all profiles and pages: ${publicUrl}/llms.txt.`,
    ...(hasCatalogue ? [`For sale through x402: GET ${publicUrl}/discovery/resources.`] : []),
    'Read: GET a page; Markdown by default, ?format=json or ?format=toon for others.',
    'Pay: GET of a priced resource returns 402. Its headers are authoritative, and this document may be a minute old.',
    ...protocols.map((protocol) => HOW_TO_PAY[protocol]),
    `Details, reasons of refusals and limits: ${docsUrl}`,
    `Receipts: PAYMENT-RESPONSE names one, signed with a key of ${publicUrl}/.well-known/jwks.json.`,
  ].join('\n')
}
