import { chromium } from 'playwright-core'
import { execSync } from 'node:child_process'
const exe = execSync('command -v chromium-headless-shell || command -v chromium').toString().trim()
const base = process.env.BASE ?? 'http://localhost:3000'
const browser = await chromium.launch({ executablePath: exe })
const context = await browser.newContext()
const page = await context.newPage()
await page.goto(`${base}/sandbox?key=${process.env.KEY}`)
console.log(await page.locator('button').allInnerTexts())
const as = process.env.AS
if (as) { await page.getByRole('button', { name: as }).click(); console.log(page.url()) }
await context.storageState({ path: process.env.STATE })
await browser.close()
