import { problemOf } from '../eep-documents.ts'
import { asksListedPrice, examplePathOf, paymentInfoSchema, pricedOperations } from '../priced-operations.ts'
import { fail, pass, type SiteRule, skip, warn } from '../rule.ts'
import { describe, isMissing, isRecord, jsonOf } from '../site.ts'

const PATH = '/openapi.json'
/** Registries read this much. */
const MAX_BYTES = 65_536
const MAX_PROBED = 3

/** Resources for sale are listed with their price, and cost that. */
export const pricedOpenapi: SiteRule = {
  id: 'priced-openapi',
  category: 'payments',
  summary:
    'The priced operations of /openapi.json, if the site has some, declare a 402 and return it with the listed price',
  weight: 3,
  fix: 'Give each priced operation of /openapi.json a 402 and x-payment-info of one form, and list only resources that return 402 with that price.',
  doc: 'https://paymentauth.org/draft-payment-discovery-00',
  async check(site) {
    const answer = await site.get(PATH)
    if (answer.is !== 'answer') return skip(answer.reason)
    if (isMissing(answer)) return skip('The site has no /openapi.json.')
    if (answer.status !== 200) return skip(`/openapi.json could not be read: ${describe(answer)}.`)
    const document = jsonOf(answer)
    const operations = document ? pricedOperations(document) : []
    if (operations.length === 0) return skip('/openapi.json lists nothing for sale.')

    for (const { method, path, operation } of operations) {
      const name = `${method.toUpperCase()} ${path}`
      const problem = problemOf(paymentInfoSchema, operation['x-payment-info'])
      if (problem !== undefined) return fail(`x-payment-info is not valid: ${problem}.`, name)
      if (!isRecord(operation.responses) || !('402' in operation.responses)) {
        return fail('A priced operation does not declare its 402.', name)
      }
    }
    let probed = 0
    for (const each of operations.filter(({ method }) => method === 'get')) {
      const path = examplePathOf(each)
      if (path === undefined) continue
      if (probed === MAX_PROBED) break
      probed += 1
      const asked = await site.get(path, { accept: 'application/json' })
      if (asked.is !== 'answer') continue
      if (asked.status !== 402) return fail(`A listed operation returns ${asked.status} in place of 402.`, path)
      if (!asksListedPrice(asked, paymentInfoSchema.parse(each.operation['x-payment-info']))) {
        return fail('A listed operation asks for another price than the document.', path)
      }
    }
    if (answer.bytes > MAX_BYTES || answer.isCut)
      return warn('/openapi.json is longer than the 64 KiB that registries read.')
    return pass(`/openapi.json lists ${operations.length} priced operations.`, `${probed} of them were tried.`)
  },
}
