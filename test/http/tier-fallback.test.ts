import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { codeOf } from '../support/accounts.ts'
import { newKey } from '../support/api-keys.ts'
import { createBillingApp, tellAll } from '../support/billing.ts'
import { client } from '../support/client.ts'
import { field, fileOf, upload } from '../support/files.ts'

const MEGABYTE = 1_048_576

let test: Awaited<ReturnType<typeof createBillingApp>>
beforeAll(async () => {
  test = await createBillingApp({
    limits: {
      rateLimit: { multiplier: 10 },
      plans: {
        community: { maxFileMb: 1, limits: { maxFiles: 2, maxStorageMb: 4, maxBatchFiles: 1 } },
        pro: { maxFileMb: 2, limits: { maxFiles: 4, maxStorageMb: 8, maxBatchFiles: 4 } },
      },
    },
  })
})
afterAll(() => test.close())

describe('an account whose subscription is over', () => {
  it('keeps all it has, and adds nothing until it is within the limits of its tier again', async () => {
    const ada = await test.subscribed()
    const { headers } = ada
    const ask = (url: string, method: 'GET' | 'DELETE' = 'GET') => client(test.app).with(headers).send(method, url)
    const { username } = (await ask('/auth/me')).json()
    const send = (...sizes: readonly number[]) =>
      upload(test.app, [field('username', username), ...sizes.map((size) => fileOf(Buffer.alloc(size, 'x')))], headers)
    const key = await newKey(test.app, headers)
    const keyLimit = async () => Number((await client(test.app).as(key).get('/tiers')).headers['x-ratelimit-limit'])

    const large = await send(1.5 * MEGABYTE)
    expect(large.statusCode, large.body).toBe(200)
    const small = await send(1, 1, 1)
    expect(small.statusCode, small.body).toBe(200)
    expect((await ask('/manage/limits')).json()).toMatchObject({ max_files: 4, max_file_mb: 2, usage: { files: 4 } })
    expect(await keyLimit()).toBe(3_000)

    await ada.cancel()
    await tellAll(test.app, test.fakeBilling.endPeriod(ada.seat))
    expect(await ada.tier()).toBe('community')
    expect((await ask('/manage/limits')).json()).toMatchObject({ max_files: 2, max_file_mb: 1, usage: { files: 4 } })
    expect(await keyLimit()).toBe(600)

    const all = (await ask(`/files/list/u/${username}`)).json().data.map(({ id }: { readonly id: number }) => id)
    expect(all).toHaveLength(4)
    for (const id of all) expect((await ask(`/files/${id}`)).statusCode).toBe(200)
    expect(codeOf(await send(1.5 * MEGABYTE))).toBe('file_too_large')
    expect(codeOf(await send(1, 1))).toBe('batch_too_large')
    for (const id of all.slice(0, 2)) {
      expect(codeOf(await send(1))).toBe('file_quota_reached')
      await ask(`/files/${id}`, 'DELETE')
    }
    expect(codeOf(await send(1))).toBe('file_quota_reached')
    await ask(`/files/${all[2]}`, 'DELETE')
    expect((await send(1)).statusCode).toBe(200)
  })
})
