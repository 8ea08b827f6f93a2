# cmake -D IN=file -D OUT=file.c -D SYMBOL=name -D HEADER=name.h -P EmbedText.cmake: a file as two C constants,
# name_bytes and name_size, which the header declares.
file(READ ${IN} hex HEX)
string(LENGTH "${hex}" digits)
math(EXPR size "${digits} / 2")
string(REGEX REPLACE "([0-9a-f][0-9a-f])" "0x\\1," bytes "${hex}")
file(WRITE ${OUT} "// Made by cmake/EmbedText.cmake of the file that it holds.\n#include \"${HEADER}\"\n\n"
    "const unsigned char ${SYMBOL}_bytes[] = {\n${bytes}\n};\nconst size_t ${SYMBOL}_size = ${size};\n")
