// All of Envoy's API, as protoc describes it.
    .section .rodata
    .global hone_mesh_envoy_descriptors
    .global hone_mesh_envoy_descriptors_end
    .balign 16
hone_mesh_envoy_descriptors:
    .incbin DESCRIPTORS
hone_mesh_envoy_descriptors_end:
    .section .note.GNU-stack,"",@progbits
