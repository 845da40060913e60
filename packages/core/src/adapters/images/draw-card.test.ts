import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import sharp from 'sharp'
import { expect, it } from 'vitest'
import { drawCard } from './draw-card.ts'
import { createLetterCheck } from './font-letters.ts'

const FILE = createRequire(import.meta.url).resolve('dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf')
const canWrite = createLetterCheck(readFileSync(FILE))

const TEXTS = { name: 'Ada Lovelace', service: 'Harbour', ground: '#1f5f4f', on: '#fff' }
/** The area of the name, below the portrait. */
const NAME = { left: 60, top: 300, width: 1080, height: 200 }
/** The area of the name of the service. */
const SERVICE = { left: 60, top: 500, width: 1080, height: 90 }

/** The share of the pixels of an area that are not of the ground. */
async function inkIn(card: Buffer, area: typeof NAME): Promise<number> {
  const { data } = await sharp(card).extract(area).removeAlpha().raw().toBuffer({ resolveWithObject: true })
  let inked = 0
  for (let at = 0; at < data.length; at += 3) {
    if (Math.abs((data[at] ?? 0) - 0x1f) + Math.abs((data[at + 1] ?? 0) - 0x5f) > 60) inked += 1
  }
  return inked / (data.length / 3)
}

const colorAt = async (card: Buffer, left: number, top: number) => {
  const { data } = await sharp(card)
    .extract({ left, top, width: 1, height: 1 })
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  return [...data]
}

it('draws the name and the service in a picture of 1200 by 630 pixels', async () => {
  const card = await drawCard(TEXTS)
  expect(await sharp(card).metadata()).toMatchObject({ format: 'png', width: 1200, height: 630 })
  expect(await inkIn(card, NAME)).toBeGreaterThan(0.02)
  expect(await inkIn(card, SERVICE)).toBeGreaterThan(0.005)
  expect(await colorAt(card, 5, 5)).toEqual([0x1f, 0x5f, 0x4f])
})

it('draws a portrait in a circle', async () => {
  const portrait = await sharp({ create: { width: 40, height: 60, channels: 3, background: '#ff8800' } })
    .jpeg()
    .toBuffer()
  const card = await drawCard(TEXTS, portrait)
  const [red = 0, green = 0, blue = 0] = await colorAt(card, 180, 180)
  expect(Math.abs(red - 0xff) + Math.abs(green - 0x88) + Math.abs(blue)).toBeLessThan(12)
  expect(await colorAt(card, 84, 84)).toEqual([0x1f, 0x5f, 0x4f])
})

it('draws a monogram in place of a portrait that cannot be read', async () => {
  expect(await drawCard(TEXTS, Buffer.from('not an image'))).toEqual(await drawCard(TEXTS))
})

it('draws markup as text', async () => {
  const card = await drawCard({ ...TEXTS, name: '<b>&amp;' })
  expect(await inkIn(card, NAME)).toBeGreaterThan(0.01)
  expect(await drawCard({ ...TEXTS, name: '<span size="900">x</span>' })).not.toEqual(
    await drawCard({ ...TEXTS, name: 'x' }),
  )
})

it('leaves out a name with letters that the font lacks, and keeps the service', async () => {
  const card = await drawCard({ ...TEXTS, name: 'エイダ' })
  expect(await inkIn(card, NAME)).toBe(0)
  expect(await inkIn(card, SERVICE)).toBeGreaterThan(0.005)
})

it('draws a name of 128 letters within the card', async () => {
  const card = await drawCard({ ...TEXTS, name: 'Wolfeschlegelsteinhausenbergerdorff '.repeat(4).slice(0, 128) })
  expect(await inkIn(card, NAME)).toBeGreaterThan(0.05)
  expect(await inkIn(card, { left: 1130, top: 0, width: 70, height: 630 })).toBe(0)
})

it('knows which letters the font has', () => {
  expect(['Ada', 'Zoë Ångström', 'Ада', 'آدا لوفليس', 'Ελένη', '€ & <>'].map(canWrite)).toEqual(
    Array.from({ length: 6 }, () => true),
  )
  expect(['エイダ', '北京', '김', '🦊', 'a\u0000'].map(canWrite)).toEqual(Array.from({ length: 5 }, () => false))
})
