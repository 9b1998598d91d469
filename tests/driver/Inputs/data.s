	.type f,@function
f:	nop
	ret
	.size f, .-f
	.byte 0x62, 0xf1, 0x6c, 0x48, 0x58, 0xd9 # vaddps of 512 bits
	.byte 0x06, 0x07                         # nothing, in 64 bits
