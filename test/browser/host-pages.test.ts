import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { Browser } from 'playwright-core'
import PostalMime from 'postal-mime'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PASSWORD } from '../support/accounts.ts'
import { chromiumPath, launchChromium } from '../support/chromium.ts'
import { startHost, until } from '../support/host.ts'
import { type HostData, openHostData } from '../support/host-data.ts'

// The workspace does not contain a browser; `.ci/run` installs one.
describe.skipIf(chromiumPath === undefined)('the pages that emails of the example host link to', () => {
  let data: HostData
  let host: Awaited<ReturnType<typeof startHost>>
  let browser: Browser
  let ada: string

  async function send(path: string, body: object, token?: string) {
    const headers = { 'content-type': 'application/json', ...(token && { authorization: `Bearer ${token}` }) }
    const answer = await fetch(`${host.url}${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
    if (!answer.ok) throw new Error(`${path}: ${await answer.text()}`)
    return (await answer.json()) as { readonly token: string }
  }
  const register = async (username: string) =>
    (await send('/auth/register', { username, email: `${username}@example.com`, password: PASSWORD })).token

  /** The link in the first email to a user whose subject contains a word. */
  async function mailedLink(username: string, word: string) {
    const folder = join(data.directory, 'mail')
    const find = async () => {
      const files = (await readdir(folder).catch(() => [])).filter((name) => name.endsWith('.eml'))
      const mails = await Promise.all(files.map(async (name) => PostalMime.parse(await readFile(join(folder, name)))))
      const mail = mails.find(
        ({ to, subject }) => to?.[0]?.address === `${username}@example.com` && subject?.includes(word),
      )
      return /^http:\/\/\S+$/m.exec(mail?.text ?? '')?.[0]
    }
    return until(find, () => `an email to ${username} about ${word}`)
  }

  /** Opens a link to a page that needs a session, in a new browser context, and signs in on the way. */
  async function signInOn(link: string, username: string) {
    const page = await browser.newPage()
    await page.goto(link)
    await page.fill('[name=email]', `${username}@example.com`)
    await page.fill('[name=password]', PASSWORD)
    await page.getByRole('button', { name: 'Sign in', exact: true }).click()
    return page
  }

  beforeAll(async () => {
    data = await openHostData()
    host = await startHost({ ...data.environment, EEP_RATE_LIMIT_MULTIPLIER: '100' })
    browser = await launchChromium()
    ada = await register('ada')
    const bob = await register('bob')
    // Notifications are sent to verified email addresses only.
    const token = new URL((await mailedLink('bob', 'Confirm')) ?? '').searchParams.get('token')
    await send('/auth/verify', { token }, bob)
    await send('/profiles', { profile_type: 'organization', username: 'engines' }, ada)
  }, 300_000)
  afterAll(async () => {
    await browser?.close()
    await host?.stop()
    await data?.remove()
  })

  const engines = async () => ((await (await fetch(`${host.url}/profiles/o/engines`)).json()) as { id: number }).id
  const team = async () => {
    const headers = { authorization: `Bearer ${ada}` }
    return (await fetch(`${host.url}/profiles/${await engines()}/team`, { headers })).json()
  }

  it('let an invited user join a team', async () => {
    await send(`/profiles/${await engines()}/team/invites`, { username: 'bob', role: 'editor' }, ada)
    const page = await signInOn(await mailedLink('bob', 'team'), 'bob')
    await page.getByText('ada invites you to the team of engines.').waitFor()
    await page.getByRole('button', { name: 'Accept' }).click()
    await page.getByText('You have joined.').waitFor()
    expect(await team()).toMatchObject({ data: [{ role: 'owner' }, { username: 'bob', role: 'editor' }] })
    await page.close()
  })

  it('report a used invitation', async () => {
    const page = await browser.newPage()
    const answer = await page.goto(`${host.url}/team/invite?token=used`)
    expect(answer?.status()).toBe(404)
    await page.getByText('This invitation was not found.').waitFor()
    await page.close()
  })

  it('let a user accept a transferred profile', async () => {
    await send(`/profiles/${await engines()}/transfers`, { recipient_username: 'bob' }, ada)
    const link = await mailedLink('bob', 'offers you')
    const owner = await signInOn(link, 'ada')
    await owner.getByText('You offered the profile engines to bob.').waitFor()
    await owner.close()
    const page = await signInOn(link, 'bob')
    await page.getByText('ada offers you the profile engines.').waitFor()
    await page.getByRole('button', { name: 'Accept' }).click()
    await page.getByText('You are the owner of the profile.').waitFor()
    expect(await team()).toMatchObject({
      owner: { username: 'bob' },
      data: [{ role: 'owner' }, { username: 'ada', role: 'editor' }],
    })
    await page.close()
  })
})
