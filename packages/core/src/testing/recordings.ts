const RATE = 8_000
const HEADER = 44

/** A tone of the given length in seconds as WAV: 8 kHz, 8 bit, one channel. Different tones have different bytes. */
export function wavOf(seconds: number, tone = 440): Buffer {
  const samples = Math.round(seconds * RATE)
  const wav = Buffer.alloc(HEADER + samples)
  wav.write('RIFF')
  wav.writeUInt32LE(wav.length - 8, 4)
  wav.write('WAVEfmt ', 8)
  wav.writeUInt32LE(16, 16)
  wav.writeUInt16LE(1, 20)
  wav.writeUInt16LE(1, 22)
  wav.writeUInt32LE(RATE, 24)
  wav.writeUInt32LE(RATE, 28)
  wav.writeUInt16LE(1, 32)
  wav.writeUInt16LE(8, 34)
  wav.write('data', 36)
  wav.writeUInt32LE(samples, 40)
  const second = Uint8Array.from({ length: RATE }, (_, at) => 128 + 100 * Math.sin((2 * Math.PI * tone * at) / RATE))
  return wav.fill(second, HEADER)
}
