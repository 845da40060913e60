import { existsSync } from 'node:fs'
import { type Browser, chromium, type Page } from 'playwright-core'
import { PASSWORD } from './accounts.ts'

const PLACES = [
  process.env.CHROMIUM_PATH,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/** A browser of this machine; undefined where none is installed. */
export const chromiumPath: string | undefined = PLACES.find((path) => path !== undefined && existsSync(path))

/** Starts the browser of this machine without its background network requests. */
export async function launchChromium(): Promise<Browser> {
  if (chromiumPath === undefined) throw new Error('No Chromium is installed')
  return chromium.launch({
    executablePath: chromiumPath,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-dev-shm-usage',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  })
}

/** Signs in with an email address and the password of test accounts, and opens a page of the service. */
export async function signIn(page: Page, email: string, path: string): Promise<void> {
  await page.goto(`/login?next=${encodeURIComponent(path)}`)
  await page.getByLabel('Email address').fill(email)
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Sign in', exact: true }).click()
  await page.waitForURL(`**${path}`)
}
