import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

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
