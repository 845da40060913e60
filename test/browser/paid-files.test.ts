import { readFile } from 'node:fs/promises'
import { wavOf } from '@eep/core/testing'
import { localFacilitator, x402Rail } from '@eep/payments-x402'
import { type LocalChain, startLocalChain } from '@eep/payments-x402/testing'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Person, signUp } from '../support/accounts.ts'
import { createTestApp } from '../support/app.ts'
import { openAddress, openTab } from '../support/checkout-browser.ts'
import { chromiumPath, launchChromium } from '../support/chromium.ts'
import { client } from '../support/client.ts'
import { field, fileOf, PNG, upload } from '../support/files.ts'
import { injectWallet } from '../support/injected-wallet.ts'

const where = chromiumPath ?? 'none is here: install chromium, or name one in CHROMIUM_PATH'

describe.skipIf(chromiumPath === undefined)(`files that are bought with a wallet (${where})`, () => {
  let address: Awaited<ReturnType<typeof openAddress>>
  let chain: LocalChain
  let test: Awaited<ReturnType<typeof createTestApp>>
  let browser: Browser
  let seller: Person
  /** The requests of browsers: the address and what it is for. */
  const asked: { readonly url: string; readonly as: string }[] = []

  beforeAll(async () => {
    chain = await startLocalChain()
    const { network, rpcUrl, wallets } = chain
    const facilitator = localFacilitator({ network, rpcUrl, privateKey: wallets.facilitator.privateKey })
    address = await openAddress()
    test = await createTestApp({
      publicUrl: address.url,
      payments: {
        rails: [x402Rail({ network, rpcUrl, payTo: wallets.platform.address, facilitator })],
        payerProof: 'signed',
      },
    })
    seller = await signUp(test.app, 'file-seller')
    address.serve(await test.app.listen({ port: 0, host: '127.0.0.1' }))
    test.app.server.on('request', ({ url = '', headers }) => asked.push({ url, as: String(headers['sec-fetch-dest']) }))
    browser = await launchChromium()
  }, 60_000)
  afterAll(async () => {
    await browser?.close()
    await test?.close()
    await address?.close()
    await chain?.stop()
  })

  async function newFile(content: string | Buffer, filename: string): Promise<string> {
    const parts = [field('username', seller.account.username), fileOf(content, filename)]
    const response = await upload(test.app, parts, seller.headers)
    if (response.statusCode !== 200) throw new Error(response.body)
    return `/files/${response.json().id}`
  }

  /** Sells some files; every other file is open. */
  async function sell(per: string, ...files: readonly string[]) {
    const access = files.map((file) => `files.f${file.split('/')[2]}`)
    const did = test.app.eep.profiles.didOf({ type: 'person', username: seller.account.username })
    const config = {
      default_tier: 'public',
      tiers: {
        public: { requirements: [], access: ['profile.*', 'content.*', 'files.*'] },
        reader: { requirements: [{ type: 'payment', amount: 0.25, currency: 'usdc', per }], access },
      },
    }
    const answer = await seller.put(`/eep/gates/${did.replaceAll('%', '%25')}`, config)
    if (answer.statusCode !== 200) throw new Error(answer.body)
  }

  async function openWallet() {
    const wallet = await chain.newPayer()
    const tab = await openTab(browser, { locale: 'en-GB', acceptDownloads: true })
    await injectWallet(tab.page, {
      eth_requestAccounts: () => ({ result: [wallet.address] }),
      eth_chainId: () => ({ result: `0x${chain.chainId.toString(16)}` }),
      eth_signTypedData_v4: async ([, text]) => ({
        result: await wallet.account.signTypedData(JSON.parse(String(text))),
      }),
    })
    return tab
  }

  const pay = (page: Page) => page.getByRole('button', { name: 'Pay with a wallet' }).click()

  async function savedBy(page: Page, act: () => Promise<void>): Promise<Buffer> {
    const [download] = await Promise.all([page.waitForEvent('download'), act()])
    return readFile(await download.path())
  }

  it('runs no script that a seller put into a sold file, in the session of the buyer', async () => {
    const script = await newFile(
      `fetch('/api-keys', { method: 'POST', headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ name: 'stolen', scopes: ['read:payments'] }) })`,
      'lib.js',
    )
    const book = await newFile(`A book.\n<script src="${script}"></script>`, 'book.csv')
    await sell('month', book)
    const buyer = await signUp(test.app, 'file-buyer')
    const { page, context, close } = await openWallet()
    await context.addCookies([{ name: 'eep_session', value: buyer.token, url: address.url }])
    await page.goto(`${address.url}${book}`)
    const before = asked.length
    const [download] = await Promise.all([page.waitForEvent('download'), pay(page)])
    expect(await readFile(await download.path(), 'utf8')).toContain('A book.')
    await page.waitForLoadState('networkidle')
    const later = asked.slice(before).map(({ url }) => url)
    expect(later.some((url) => url === script || url === '/api-keys')).toBe(false)
    expect((await buyer.get('/api-keys')).json().data).toEqual([])
    await close()
  })

  it('refuses to run an uploaded script that a page of the service loads', async () => {
    const script = await newFile('globalThis.ran = true', 'lib.js')
    const sold = await newFile('sold', 'sold.txt')
    await sell('month', sold)
    const { page, close } = await openWallet()
    await page.goto(`${address.url}${sold}`)
    const ran = await page.evaluate(`new Promise((resolve) => {
      const element = document.createElement('script')
      try { element.src = ${JSON.stringify(script)} } catch { return resolve('no trusted type') }
      element.onload = () => resolve('ran')
      element.onerror = () => resolve('blocked')
      document.head.append(element)
    })`)
    expect(ran).toBe('no trusted type')
    expect(await page.evaluate('globalThis.ran')).toBeUndefined()
    await close()
  })

  it.each(['script', 'style', 'worker', 'sharedworker', 'serviceworker'])(
    'refuses an uploaded file as the %s of a page',
    async (destination) => {
      const file = await newFile('body { color: red }', 'x.txt')
      const answers = await Promise.all(
        [file, `${file}/markdown`, file.replace('/files/', '/media/')].map((url) =>
          client(test.app).get(url, { 'sec-fetch-dest': destination }),
        ),
      )
      expect(answers.map(({ statusCode }) => statusCode)).toEqual([403, 403, 403])
      expect(answers[0]?.json().error.code).toBe('not_code')
    },
  )

  it('opens a file that was bought for a time in the tab of the buyer', async () => {
    const file = await newFile(PNG, 'picture.png')
    await sell('month', file)
    const { page, close } = await openWallet()
    await page.goto(`${address.url}${file}`)
    await pay(page)
    await page.locator('body > img').waitFor()
    expect(await page.evaluate('document.contentType')).toBe('image/png')
    expect(new URL(page.url()).pathname).toBe(file)
    await close()
  })

  it('plays sound that was bought for one request, and saves its bytes as often as the buyer wants', async () => {
    const bytes = wavOf(2)
    const file = await newFile(bytes, 'tone.wav')
    await sell('request', file)
    const { page, troubles, close } = await openWallet()
    await page.goto(`${address.url}${file}`)
    await pay(page)
    await page.locator('audio').waitFor()
    const seconds = await page.evaluate(`(async () => {
      const audio = document.querySelector('audio')
      if (audio.readyState < 1) await new Promise((resolve) => audio.addEventListener('loadedmetadata', resolve))
      return audio.duration
    })()`)
    expect(seconds).toBe(2)
    const save = page.getByRole('link', { name: 'Save the content' })
    expect(bytes.equals(await savedBy(page, () => save.click()))).toBe(true)
    expect(bytes.equals(await savedBy(page, () => save.click()))).toBe(true)
    expect(troubles).toEqual([])
    await close()
  })

  it('saves a document that was bought for one request under its name', async () => {
    const file = await newFile('one,two\n<script>alert(1)</script>\n', 'table.csv')
    await sell('request', file)
    const { page, troubles, close } = await openWallet()
    await page.goto(`${address.url}${file}`)
    const [download] = await Promise.all([page.waitForEvent('download'), pay(page)])
    expect(download.suggestedFilename()).toBe('table.csv')
    expect(await readFile(await download.path(), 'utf8')).toContain('one,two')
    expect(troubles).toEqual([])
    await close()
  })
})
