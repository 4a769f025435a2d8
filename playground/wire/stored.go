package wire

import "encoding/binary"

// A body that was compressed with brotli or zstd and changes is written as blocks that are
// stored, not compressed: that needs no compressor, and a reader decompresses it all the same.

// storedBrotli returns data as a stream of RFC 7932. If it is not whole, its end is missing.
func storedBrotli(data []byte, whole bool) []byte {
	const most = 1 << 16 // bytes of a meta-block whose length has four digits
	var out []byte
	header := uint(1) // bits: that of the window stands before the first header
	for len(data) > 0 {
		n := min(len(data), most)
		// ISLAST 0, MNIBBLES 4, MLEN - 1, ISUNCOMPRESSED 1, and zeros to the next byte
		bits := (uint32(n-1)<<3 | 1<<19) << header
		out = append(out, byte(bits), byte(bits>>8), byte(bits>>16))
		out = append(out, data[:n]...)
		data, header = data[n:], 0
	}
	if whole {
		out = append(out, 0b11<<header) // ISLAST 1, ISLASTEMPTY 1
	}
	return out
}

// storedZstd returns data as a frame of RFC 8878. If it is not whole, its end is missing.
func storedZstd(data []byte, whole bool) []byte {
	const most = 128 << 10 // bytes of a block
	// the magic number, no optional field, and a window of the same size
	out := append(binary.LittleEndian.AppendUint32(nil, 0xFD2FB528), 0, 7<<3)
	block := func(n int, last uint32) {
		bits := uint32(n)<<3 | last // Block_Type 0 is raw
		out = append(out, byte(bits), byte(bits>>8), byte(bits>>16))
		out = append(out, data[:n]...)
		data = data[n:]
	}
	for len(data) > 0 {
		block(min(len(data), most), 0)
	}
	if whole {
		block(0, 1)
	}
	return out
}
