import { expect, it } from 'vitest'
import { markdownOf, webVttOf } from './captions.ts'

const segment = (startSeconds: number, endSeconds: number, text: string) => ({ startSeconds, endSeconds, text })
const spoken = (...segments: ReturnType<typeof segment>[]) => ({ text: 'All of it.', segments, durationSeconds: 90.5 })

it('writes cues with their times', async () => {
  expect(await webVttOf(spoken(segment(0, 1.5, 'Hello.'), segment(3_725.0049, 363_600, 'Bye.')))).toBe(
    'WEBVTT\n\n00:00:00.000 --> 00:00:01.500\nHello.\n\n01:02:05.005 --> 101:00:00.000\nBye.\n',
  )
})

it('writes text without times as one cue, and an empty text as none', async () => {
  expect(await webVttOf(spoken())).toBe('WEBVTT\n\n00:00:00.000 --> 00:01:30.500\nAll of it.\n')
  expect(await webVttOf({ text: '', segments: [], durationSeconds: 9 })).toBe('WEBVTT\n')
})

it('escapes text that could end or start a cue', async () => {
  const text = 'One\n\n00:00:09.000 --> 00:00:10.000\n<b onclick="x">two</b> & three\u2028NOTE'
  expect(await webVttOf(spoken(segment(2, 2, text)))).toBe(
    'WEBVTT\n\n00:00:02.000 --> 00:00:02.001\n' +
      'One 00:00:09.000 --&gt; 00:00:10.000 &lt;b onclick="x"&gt;two&lt;/b&gt; &amp; three NOTE\n',
  )
})

it('escapes Markdown in spoken text', async () => {
  const parts = [segment(0, 1, 'Hello.'), segment(3_725.9, 3_730, '# No\nheading [x](y)')]
  expect(await markdownOf('A *talk*.mp3', spoken(...parts))).toBe(
    '# A \\*talk\\*.mp3\n\n**00:00:00** Hello.\n\n**01:02:05** \\# No heading \\[x\\](y)\n',
  )
  expect(await markdownOf('talk.mp3', spoken())).toBe('# talk.mp3\n\nAll of it.\n')
})
