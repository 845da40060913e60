import { chromium } from 'playwright-core'
import sharp from 'sharp'
import { execSync } from 'node:child_process'
const exe = execSync('command -v chromium-headless-shell || command -v chromium').toString().trim()
const key = process.env.KEY
const base = process.env.BASE ?? 'http://localhost:3000'
const as = process.env.AS
const out = process.env.OUT ?? '/tmp/shots'
execSync(`mkdir -p ${out}`)
const browser = await chromium.launch({ executablePath: exe })
const items = process.argv.slice(2).map(a => { const i = a.indexOf('='); return [a.slice(0, i), a.slice(i + 1)] })
const widths = (process.env.W ?? '390,768,1280').split(',').map(Number)
const schemes = (process.env.S ?? 'light,dark').split(',')
const shots = new Map()
for (const scheme of schemes) for (const width of widths) {
  const context = await browser.newContext({ viewport: { width, height: 900 }, colorScheme: scheme, ...(process.env.STATE ? { storageState: process.env.STATE } : {}) })
  const page = await context.newPage()
  for (const [name, path] of items) {
    const errors = []
    page.on('console', m => m.type() === 'error' && errors.push(m.text()))
    await page.goto(base + path)
    const png = await page.screenshot({ fullPage: true })
    const over = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
    if (over > 0) console.log(name, width, 'overflows by', over)
    shots.set(`${name}|${scheme}|${width}`, png)
    if (errors.length) console.log(name, width, scheme, errors.slice(0, 2))
  }
  await context.close()
}
for (const [name] of items) {
  const pngs = []
  for (const scheme of schemes) for (const width of widths) pngs.push(shots.get(`${name}|${scheme}|${width}`))
  const metas = await Promise.all(pngs.map(async p => ({ p, ...(await sharp(p).metadata()) })))
  const perRow = widths.length
  const rows = []
  for (let i = 0; i < metas.length; i += perRow) rows.push(metas.slice(i, i + perRow))
  const W = Math.max(...rows.map(r => r.reduce((s, m) => s + m.width + 20, 0)))
  const H = rows.reduce((s, r) => s + Math.max(...r.map(m => Math.min(m.height, 2600))) + 20, 0)
  const comps = []; let y = 0
  for (const r of rows) { let x = 0; for (const m of r) { comps.push({ input: m.height > 2600 ? await sharp(m.p).extract({ left: 0, top: 0, width: m.width, height: 2600 }).toBuffer() : m.p, left: x, top: y }); x += m.width + 20 } y += Math.max(...r.map(m => Math.min(m.height, 2600))) + 20 }
  const scale = Math.min(1, 2000 / Math.max(W, H))
  const joined = await sharp({ create: { width: W, height: H, channels: 3, background: '#888' } }).composite(comps).png().toBuffer()
  await sharp(joined).resize({ width: Math.round(W * scale) }).png().toFile(`${out}/${name}.png`)
}
await browser.close()
