import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { directoryBlobs } from '@eep/core/files'
import type { BlobRange, BlobStore } from '@eep/core/ports'
import { wavOf } from '@eep/core/testing'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { signUp } from '../support/accounts.ts'
import { createTestApp } from '../support/app.ts'
import { chromiumPath, launchChromium } from '../support/chromium.ts'
import { field, fileOf, upload } from '../support/files.ts'

const where = chromiumPath ?? 'none is here: install chromium, or name one in CHROMIUM_PATH'

/** Ten minutes, 4.8 MB. */
const SECONDS = 600

/** A page of the same origin that the service does not have. */
const SHELL = '/a-page-of-the-test'

describe.skipIf(chromiumPath === undefined)(`files in a browser (${where})`, () => {
  let test: Awaited<ReturnType<typeof createTestApp>>
  let browser: Browser
  let base: string
  let owner: Awaited<ReturnType<typeof signUp>>
  const directory = join(tmpdir(), `eep-browsed-${randomUUID()}`)
  /** What the service reads of its files. */
  const reads: (BlobRange | undefined)[] = []
  /** Whom the browser asks for what. */
  const asked: (string | undefined)[] = []

  beforeAll(async () => {
    const store = directoryBlobs({ directory })
    const blobs: BlobStore = {
      ...store,
      get(key, range) {
        reads.push(range)
        return store.get(key, range)
      },
    }
    test = await createTestApp({ files: { blobStore: blobs } })
    owner = await signUp(test.app)
    await test.app.listen({ port: 0, host: '127.0.0.1' })
    base = `http://127.0.0.1:${(test.app.server.address() as AddressInfo).port}`
    test.app.server.on('request', ({ url }) => asked.push(url))
    browser = await launchChromium()
  })
  afterAll(async () => {
    await browser?.close()
    await test.close()
    await rm(directory, { recursive: true, force: true })
  })

  async function newFile(content: string | Buffer, filename: string): Promise<string> {
    const parts = [field('username', owner.account.username), fileOf(content, filename)]
    const response = await upload(test.app, parts, owner.headers)
    if (response.statusCode !== 200) throw new Error(response.body)
    return `/files/${response.json().id}`
  }

  async function openTab(markup = ''): Promise<Page> {
    const page = await browser.newPage()
    await page.route(base + SHELL, (route) => route.fulfill({ contentType: 'text/html', body: markup }))
    return page
  }

  it('plays sound, and starts in the middle without loading the beginning', async () => {
    const bytes = wavOf(SECONDS)
    const file = await newFile(bytes, 'tone.wav')
    const page = await openTab(`<audio src="${file}" preload="metadata" muted></audio>`)
    await page.goto(base + SHELL)
    const played = await page.evaluate(`(async () => {
      const audio = document.querySelector('audio')
      const happened = (name) => new Promise((resolve) => audio.addEventListener(name, resolve, { once: true }))
      if (audio.readyState < 1) await happened('loadedmetadata')
      const { duration } = audio
      audio.currentTime = ${SECONDS / 2}
      await happened('seeked')
      const from = audio.currentTime
      await audio.play()
      while (audio.currentTime < from + 0.2) await happened('timeupdate')
      return { duration, from, error: audio.error, seekable: audio.seekable.end(0) }
    })()`)
    expect(played).toEqual({ duration: SECONDS, from: SECONDS / 2, error: null, seekable: SECONDS })
    // To the end it asks for all, and then again from a little before the middle on.
    expect(reads.length).toBeGreaterThan(1)
    expect(reads[0]).toEqual({ start: 0, end: bytes.length - 1 })
    const middle = bytes.length / 2
    const jump = reads.find((range) => range !== undefined && range.start > middle / 2)
    expect(jump?.start).toBeLessThanOrEqual(middle)
    await page.close()
  })

  it('plays sound that is opened directly', async () => {
    const page = await openTab()
    await page.goto(base + (await newFile(wavOf(SECONDS), 'tone.wav')))
    const duration = await page.evaluate(`(async () => {
      const media = document.querySelector('video, audio')
      if (media.readyState < 1) await new Promise((resolve) => media.addEventListener('loadedmetadata', resolve))
      return media.duration
    })()`)
    expect(duration).toBe(SECONDS)
    await page.close()
  })

  it('runs no script of uploaded files, whether opened or embedded', async () => {
    const script = `<script>new Image().src = '/ran'; alert(1)</script>`
    const files = await Promise.all(
      [
        ['x.svg', `<svg xmlns="http://www.w3.org/2000/svg" onload="fetch('/ran')">${script}</svg>`],
        ['x.html', `<!doctype html><body onload="fetch('/ran')">${script}`],
        ['x.xml', `<?xml version="1.0"?><html xmlns="http://www.w3.org/1999/xhtml">${script}</html>`],
      ].map(([name = '', content = '']) => newFile(content, name)),
    )
    const texts = await Promise.all([
      newFile(`Hello ${script}`, 'notes.txt'),
      newFile(`Hello <img src="/ran" onerror="fetch('/ran')">`, 'x.txt'),
    ])
    const page = await openTab(
      [...files, ...texts]
        .map(
          (file) =>
            `<iframe src="${file}"></iframe><object data="${file}"></object><embed src="${file}"><img src="${file}">`,
        )
        .join(''),
    )
    const dialogs: string[] = []
    page.on('dialog', (dialog) => {
      dialogs.push(dialog.message())
      void dialog.dismiss()
    })
    for (const file of files) {
      // It is saved, not shown.
      const [download] = await Promise.all([
        page.waitForEvent('download'),
        page.goto(base + file).catch((error) => expect(String(error)).toContain('Download is starting')),
      ])
      expect(download.url()).toBe(base + file)
    }
    for (const text of texts) {
      await page.goto(base + text)
      expect(await page.locator('img, body script').count()).toBe(0)
    }
    await page.goto(base + SHELL)
    await page.waitForLoadState('networkidle')
    for (const file of [...files, ...texts]) expect(asked.filter((url) => url === file).length).toBeGreaterThan(1)
    expect([dialogs, asked.filter((url) => url === '/ran')]).toEqual([[], []])
    await page.close()
  })
})
