import { expect } from 'vitest'
import { newName } from '../accounts.ts'
import { decodeHeader } from '../shop.ts'
import { fixture, get, negotiates, PREFIXES, post } from './fixture.ts'
import { is, linksTo, type Row, row, text } from './row.ts'

const newProfile = (fields: object = {}) => ({ profile_type: 'place', username: newName(), type_data: {}, ...fields })

const RELATIONS = ['contents', 'changelog', 'freshness', 'badge', 'service-desc']
export const publicReads: readonly Row[] = [
  ...Object.entries(PREFIXES).map(([type, prefix]) =>
    row(
      `GET /${prefix}/{username}`,
      'none',
      is(200, `a profile of type ${type}`, async () => {
        const username = type === 'person' ? 'ada' : newName()
        if (type !== 'person') await post('/profiles', fixture.owner, newProfile({ profile_type: type, username }))
        const answer = await get(`/${prefix}/${username}`)
        expect(answer.headers).toMatchObject({ 'x-profile-username': username, 'x-profile-type': type })
        linksTo(answer, ...RELATIONS, ...(fixture.operations.has('GET /search') ? ['search'] : []))
        await negotiates(`/${prefix}/${username}`)(answer)
        return answer
      }),
      is(404, 'an unknown profile', () => get(`/${prefix}/unknown-name`)),
    ),
  ),
  ...Object.values(PREFIXES).flatMap((prefix) => [
    row(
      `GET /${prefix}/{username}/content`,
      'none',
      is(404, 'an unknown profile', () => get(`/${prefix}/unknown-name/content`)),
      ...(prefix === 'u'
        ? [
            is(
              200,
              'the contents',
              () => get(fixture.shop.contents),
              undefined,
              (answer) => negotiates(fixture.shop.contents)(answer),
            ),
          ]
        : []),
    ),
    row(
      `GET /${prefix}/{username}/content/{path}`,
      'none',
      is(404, 'an unknown profile', () => get(`/${prefix}/unknown-name/content/welcome`)),
      ...(prefix === 'u'
        ? [
            is(
              200,
              'a page',
              () => get(fixture.shop.open),
              undefined,
              (answer) => negotiates(fixture.shop.open)(answer),
            ),
            is(404, 'no page', () => get(`${fixture.shop.contents}/nothing`)),
            is(
              402,
              'a gated page',
              () => get(fixture.shop.paid),
              expect.objectContaining({
                error: expect.objectContaining({ code: 'payment_required' }),
                payment_required_b64: text,
                decoded_payment_required: expect.any(Object),
                inline_retry_supported: true,
                docs_url: text,
              }),
              (answer) => {
                expect(String(answer.headers['www-authenticate'])).toMatch(/^EEP realm="gate", resource="/)
                expect(answer.headers['x-eep-gates-config']).toMatch(/^\/eep\/gates\//)
                expect(decodeHeader(answer, 'payment-required')).toMatchObject({
                  x402Version: 2,
                  accepts: [
                    { scheme: text, network: text, asset: text, amount: expect.stringMatching(/^\d+$/), payTo: text },
                  ],
                })
              },
            ),
          ]
        : []),
    ),
  ]),
]
